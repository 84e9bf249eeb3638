"""The wheel is complete: installed elsewhere, it does the main job with the same bytes."""

from __future__ import annotations

import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import processes

from generators import build, find, write

ROOT = Path(__file__).parent.parent


def test_a_wheel_does_the_main_job_elsewhere(tmp_path):
    wheels = tmp_path / "wheels"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    processes.run(
        [*pip, "wheel", "--quiet", "--no-deps", "-w", wheels, ROOT], check=True, cwd=tmp_path
    )
    (wheel,) = wheels.glob("boardsat-*.whl")
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=False)
    (packages,) = environment.glob("lib/python*/site-packages")
    zipfile.ZipFile(wheel).extractall(packages)
    # The libraries that we need stand in the environment of the tests; the checkout must not.
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    program = (
        "import sys, generators; sys.path[:] = [p for p in sys.path if 'editable' not in p];"
        "assert generators.__file__.startswith(sys.prefix), generators.__file__;"
        "from boardsat.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    words = ["cnf", "tour", "--enc", "unary", "-n", "6", "-o", "there.cnf"]
    python = environment / "bin/python"
    processes.run([python, "-c", program, *words], check=True, cwd=tmp_path)
    write(build(find("tour", "unary"), {"n": 6}), str(tmp_path / "here.cnf"))
    assert (tmp_path / "there.cnf").read_bytes() == (tmp_path / "here.cnf").read_bytes()
