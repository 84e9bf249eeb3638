"""Images: pinned and labelled Dockerfiles without root, rebuilt when they change; ApproxMC."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from helpers import processes
from helpers.requirements import outside, skip_or_fail

from boardsat.adapters.runtimes import container, engine, images
from boardsat.base.errors import BoardsatError
from boardsat.cli import main

ROOT = Path(__file__).parents[2]
NAMES = container.image_names()
LABELS = ("title", "version", "source", "description")


@pytest.fixture(scope="module", params=[pytest.param("engine", marks=outside)])
def client():
    return engine.client() or skip_or_fail("docker", engine.engine_fault()[0])


def run(client, name, *command, file=None):
    """Return exit code and output of a program in the image, which sees the file as /in.cnf."""
    tag = images.build(name).tag
    volumes = {str(file): {"bind": "/in.cnf", "mode": "ro"}} if file else {}
    container = client.containers.create(tag, list(command), network_mode="none", volumes=volumes)
    try:
        container.start()
        code = container.wait(timeout=300)["StatusCode"]
        return code, container.logs().decode()
    finally:
        container.remove(force=True)


def dockerfile(name):
    """Return the instructions of a Dockerfile, one on each line, without comments."""
    text = (container.IMAGE_FOLDER / name / "Dockerfile").read_text()
    return re.sub(r"^#.*\n", "", text, flags=re.M).replace("\\\n", " ").splitlines()


def packages(name):
    """Return the packages that a Dockerfile installs, with their versions."""
    commands = [command for line in dockerfile(name) for command in line.split("&&")]
    argument_lists = [command.split() for command in commands if " install " in command]
    arguments = [
        token for tokens in argument_lists for token in tokens[tokens.index("install") + 1 :]
    ]
    return [argument for argument in arguments if not argument.startswith("-")]


def test_content_hash_ignores_modes_and_order(tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    for folder, order in ((first, "ab"), (second, "ba")):
        (folder / "inner").mkdir(parents=True)
        for name in order:
            (folder / "inner" / name).write_text(name)
    (second / "inner/a").chmod(0o700)
    assert images.content_hash(first) == images.content_hash(second)


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "a").write_text("x"),
        lambda folder: (folder / "a").write_text(""),
        lambda folder: (folder / "a").rename(folder / "c"),
        lambda folder: (folder / "b").unlink(),
        lambda folder: (folder / "c").write_text(""),
        lambda folder: ((folder / "a").write_text("12"), (folder / "b").write_text("3")),
        lambda folder: ((folder / "a").unlink(), (folder / "b").rename(folder / "a1b")),
    ],
)
def test_content_hash_changes_with_each_change_of_a_folder(tmp_path, change):
    (tmp_path / "a").write_text("1")
    (tmp_path / "b").write_text("23")
    old_hash = images.content_hash(tmp_path)
    change(tmp_path)
    assert images.content_hash(tmp_path) != old_hash


def test_image_names_are_all_folders():
    assert [
        folder.name for folder in sorted((ROOT / "docker").iterdir()) if folder.is_dir()
    ] == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_dockerfile_has_pinned_packages_labels_and_user(name):
    lines = dockerfile(name)
    assert all(re.fullmatch(r"[a-z0-9+.-]+=[0-9]\S+", package) for package in packages(name))
    assert {line.split()[1] for line in lines if line.startswith("FROM ")} == {"debian:trixie-slim"}
    last_stage = lines[max(k for k, line in enumerate(lines) if line.startswith("FROM ")) :]
    assert [line for line in last_stage if line.startswith("USER ")] == ["USER 10001:10001"]
    labels = dict(re.findall(r'org\.opencontainers\.image\.(\w+)="([^"]+)"', "\n".join(last_stage)))
    assert sorted(labels) == sorted(LABELS)
    assert labels["title"] == name
    for package in packages(name):
        if f"package {package.split('=')[0]} " in labels["source"]:
            assert labels["source"] == f"Debian package {package.replace('=', ' ')}"
            assert re.sub(r"^\d+:", "", package.split("=")[1]).startswith(labels["version"])


def test_docker_folder_names_no_host():
    files = [file for file in (ROOT / "docker").rglob("*") if file.is_file()]
    assert [
        file for file in files if re.search(r"://|\b\w+\.(com|org|io)/", file.read_text())
    ] == []


def test_build_of_unknown_image_is_reported_in_one_line():
    with pytest.raises(BoardsatError, match=r"^no image 'kisat'; choose from: .*kissat"):
        images.build("kisat")


def test_build_without_an_engine_has_a_remedy(monkeypatch):
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere")
    with pytest.raises(BoardsatError, match=r"^no Docker; start Docker, or run ") as error:
        images.build(NAMES[0])
    assert "\n" not in str(error.value)
    script = processes.run([ROOT / "docker/engine"], capture_output=True, text=True)
    assert script.returncode == 1
    assert re.fullmatch(r"engine: no Docker engine answers.*\n", script.stderr)


@pytest.mark.parametrize("folder", [ROOT, Path("/")])
def test_docker_folder_does_not_hide_the_sdk(folder):
    program = (
        "import docker; docker.from_env;"
        "from boardsat.adapters.runtimes import container; print(container.IMAGE_FOLDER)"
    )
    process = processes.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True
    )
    assert Path(process.stdout.strip()) == container.IMAGE_FOLDER


def test_fetch_sdist_uses_the_cache_only_with_the_digest(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    commands = []
    monkeypatch.setattr(
        images, "_run_pip", lambda command: commands.append(command) or "no network"
    )
    cached = tmp_path / "boardsat" / "thing-1.0.tar.gz"
    cached.parent.mkdir()
    cached.write_bytes(b"abc")
    digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert images.fetch_sdist(cached.name, digest) == b"abc"
    assert commands == []
    cached.write_bytes(b"abd")
    with pytest.raises(
        BoardsatError, match=r"^thing-1\.0\.tar\.gz: .*no network; put the file into"
    ):
        images.fetch_sdist(cached.name, digest)


def test_failed_build_is_reported_in_one_line_with_its_log(client, tmp_path, monkeypatch):
    for module in (images, container):
        monkeypatch.setattr(module, "IMAGE_FOLDER", tmp_path)
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/Dockerfile").write_text(
        "FROM debian:trixie-slim\nRUN echo this is why && false\n"
    )
    with pytest.raises(
        BoardsatError, match=r"^docker/broken: the build failed: .*this is why"
    ) as error:
        images.build("broken")
    assert "\n" not in str(error.value)


def test_engine_script_with_engine_and_base_image_does_nothing(client):
    process = processes.run([ROOT / "docker/engine"], capture_output=True, text=True, check=True)
    assert process.stdout.endswith("nothing to do\n")


@pytest.mark.parametrize("name", NAMES)
def test_build_of_unchanged_image_returns_the_existing_one(client, name):
    first = images.build(name)
    identifier = client.images.get(first.tag).id
    second = images.build(name)
    assert not second.built
    assert images.find(name) == second
    assert (
        identifier == client.images.get(second.tag).id == client.images.get(f"boardsat/{name}").id
    )
    assert second.size > 0
    assert second.version


@pytest.mark.parametrize("name", NAMES)
def test_image_runs_its_program_without_root(client, name):
    assert run(client, name, "id", "-u") == (0, "10001\n")
    code, output = run(client, name, "sh", "-c", f"{name} --version || {name} --help || {name} -h")
    assert "not found" not in output
    assert len(output) > 3
    assert code in (0, 1)
    # The version of a package is queried: cadical prints another version, minisat none.
    version = images.build(name).version
    versions = [
        name_and_version
        for name_and_version in packages(name)
        if name_and_version.startswith(f"{name}=")
    ]
    query = ("dpkg-query", "-W", "-f", "${Package}=${Version}", name)
    assert [run(client, name, *query)[1]] == versions if versions else version in output


def test_images_builds_and_lists(client, capsys):
    assert main(["images", "misbehave"]) == 0
    row = capsys.readouterr().out.splitlines()[-1].split()
    assert row[:3] == ["misbehave", images.tag_of("misbehave"), "1"]
    assert row[4] in ("built", "unchanged")


@pytest.mark.parametrize(
    "text, count",
    [
        ("p cnf 0 0", 1),
        ("p cnf 200 0", 2**200),
        ("p cnf 3 1\n1 2 0", 6),
        ("p cnf 3 1\n1 2\n0", 6),
        ("c ind 1 0\nc ind 3 0\np cnf 3 1\n1 2 0", 4),
        ("p cnf 3 1\nc p show 1 2 0\n1 2 0", 3),
        ("c ind 0\np cnf 2 1\n1 2 0", 1),
        ("c ind 0\np cnf 2 2\n1 0\n-1 0", 0),
        ("p cnf 9 1\n0", 0),
        ("p cnf 9 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0", 0),
        ("c index 7 and c p showing are words\np cnf 1 1\n-1 0", 1),
    ],
)
def test_approxmc_counts_exactly_if_there_are_few_models(client, text, count):
    code, output = run(client, "approxmc", "sh", "-c", f"echo '{text}' | approxmc --verb 0")
    assert code == 0
    status = "SATISFIABLE" if count else "UNSATISFIABLE"
    assert output.splitlines()[-2:] == [f"s {status}", f"s mc {count}"]
    assert all(line[:2] == "c " for line in output.splitlines()[:-2])


@pytest.mark.parametrize(
    "text, fault",
    [
        ("", "no header"),
        ("1 0", "no header before the first clause"),
        ("p cnf 2 1\n1 x 0", "2: an integer is missing"),
        ("p cnf 2 1\n1 3 0", "2: a number is out of range"),
        ("p cnf 2 1\n1 2", "does not end with 0"),
        ("p cnf 2 2\n1 2 0", "fewer clauses"),
        ("p cnf 2 0\n1 2 0", "2: there are more clauses"),
        ("c ind 3 0\np cnf 2 0", "beyond the header"),
        ("c ind 1\np cnf 2 0", "1: an integer is missing"),
    ],
)
def test_approxmc_rejects_malformed_dimacs(client, text, fault):
    code, output = run(client, "approxmc", "sh", "-c", f"echo '{text}' | approxmc")
    assert code == 1
    assert re.fullmatch(rf"approxmc: .*{fault}.*\n", output)


@pytest.mark.parametrize(
    "arguments, count",
    [
        (["queens", "-n", "8"], 92),
        pytest.param(["tour", "--enc", "binary", "-n", "6"], 2 * 9862, marks=pytest.mark.slow),
    ],
)
def test_approxmc_is_near_published_counts(client, tmp_path, arguments, count):
    file = tmp_path / "in.cnf.gz"
    assert main(["cnf", *arguments, "-o", str(file)]) == 0
    code, output = run(client, "approxmc", "approxmc", "--epsilon", "0.8", "/in.cnf", file=file)
    assert code == 0
    assert count / 1.8 <= int(output.split("s mc ")[1]) <= count * 1.8
