"""Campaigns on a real Slurm: workers are renewed before their walltime, failures are reported."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path
from urllib.request import urlopen

import pytest
from helpers.campaigns import UNSAT, quick, records
from helpers.dask_cluster import need_dask
from helpers.requirements import outside, require_program
from helpers.slurm_cluster import asked, slurm
from helpers.solver_runs import boardsat, wait_until

from boardsat.campaign.runner import batch
from boardsat.campaign.runner.batch import Options, parse_options
from boardsat.campaign.runner.dispatch import connect, silence_dask


@pytest.fixture
def conf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    need_dask()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with slurm() as conf_file:
        monkeypatch.setenv("SLURM_CONF", str(conf_file))
        yield conf_file


def campaign(folder: Path, options: str, script: str = UNSAT, seconds: int = 2) -> Path:
    """Write a campaign of six runs with this time limit."""
    path = quick(folder, script)
    text = path.read_text().replace("timeout: 30", f"timeout: {seconds}")
    path.write_text(f"{text}cluster: {{{options}}}\n")
    return path


@outside
def test_workers_are_renewed_before_their_walltime(conf: Path, tmp_path):
    """Each begins runs in its first 13 s, of which it needs some to start."""
    options = "jobs: 1, partition: main, walltime: '00:00:31', memory: 500, interface: lo"
    path = campaign(tmp_path, options, f"sleep 6; {UNSAT}", seconds=8)
    outcome = boardsat("run", path, "-o", tmp_path / "out", "--on", "slurm")
    assert outcome.code == 0 and "6 runs, 0 from before, 6 answered" in outcome.out, outcome
    # It speaks TLS, and nothing was cut off.
    assert "tls://127.0.0.1:" in outcome.err and "dashboard at http://127.0.0.1:" in outcome.err
    assert {record.attempt.tries for record in records(tmp_path / "out")} == {1}
    started = [path.name for path in (tmp_path / "out/workers").glob("*.out")]
    assert len(started) >= 3, started
    # Neither a job nor a key is left.
    wait_until(lambda: asked(conf, "squeue", "-h") == "")
    assert not list((tmp_path / "out/workers").glob(".dask*"))


@outside
def test_dashboard_address_answers_on_any_interface(tmp_path: Path):
    """Workers reach the scheduler by another address than the one its dashboard listens on."""
    need_dask()
    require_program("sbatch")
    with (
        silence_dask(),
        batch._scheduler(Options("slurm"), tmp_path) as cluster,
        connect(cluster) as client,
    ):
        link = batch.BatchJobs(Options("slurm"), cluster, client, tmp_path).dashboard(client)
        assert urlopen(link, timeout=10).status == HTTPStatus.OK


@outside
def test_command_ends_if_slurm_rejects_or_ends_its_jobs(conf: Path, tmp_path, monkeypatch):
    options = "walltime: '01:00:00', memory: 500, interface: lo"
    path = campaign(tmp_path, f"{options}, partition: nowhere")
    outcome = boardsat("run", path, "-o", tmp_path / "out", "--on", "slurm")
    assert (
        outcome.code == 2 and "slurm: the batch system rejects jobs: sbatch: error" in outcome.err
    ), outcome
    monkeypatch.setattr(batch, "QUEUE_POLL_SECONDS", 0.5)
    path = campaign(tmp_path, f"{options}, python: /nowhere/python")
    outcome = boardsat("run", path, "-o", tmp_path / "out", "--on", "slurm")
    assert outcome.code == 2 and "3 jobs have ended before their worker connected" in outcome.err, (
        outcome
    )
    assert "No such file" in "".join(
        path.read_text() for path in (tmp_path / "out/workers").glob("*.err")
    )


REFUSED = {
    "walltime: '00:00:11'": "walltime must be more than 12 s, the maximum time of a run "
    "(got 11 s); raise `walltime`",
    "jobs: 2": "the key `walltime` is missing; write HH:MM:SS",
    "walltime: '1 hour'": "`walltime` must be HH:MM:SS or D-HH:MM:SS (got '1 hour')",
    "walltime: '01:00:00', job: 3": "`cluster` has no option `job`; did you mean 'jobs'?",
    "walltime: '01:00:00', jobs: many": "`jobs` must be an integer from 1 to 10,000 (got 'many')",
    "walltime: '01:00:00', tls: maybe": "`tls` must be true or false (got 'maybe')",
    "walltime: '01:00:00', partition: 'a; rm b'": (
        "`partition` must be a name without blanks and quotes (got 'a; rm b')"
    ),
}


@pytest.mark.parametrize("options", REFUSED)
def test_bad_options_are_one_line_before_anything_is_done(options, tmp_path):
    path = campaign(tmp_path, options)
    outcome = boardsat("run", path, "-o", tmp_path / "out", "--on", "slurm")
    assert outcome.code == 2 and f"cluster: {REFUSED[options]}" in outcome.one_line(), outcome
    assert not (tmp_path / "out").exists()


def test_machine_without_batch_system_is_one_line(tmp_path, monkeypatch):
    pytest.importorskip("dask_jobqueue", reason="the extra is asked for first")
    monkeypatch.setenv("PATH", "/nowhere")
    path = campaign(tmp_path, "walltime: '01:00:00'")
    path.write_text(path.read_text().replace("quick.yaml", "minisat").replace("native", "embedded"))
    outcome = boardsat("run", path, "-o", tmp_path / "out", "--on", "slurm")
    assert outcome.code == 2 and "the program 'sbatch' is not on PATH" in outcome.one_line(), (
        outcome
    )


@pytest.mark.parametrize(
    ("system", "walltime"), [("slurm", "49:00:30"), ("pbs", "49:00:30"), ("lsf", "49:01")]
)
def test_walltime_is_passed_in_the_format_of_every_batch_system(system, walltime):
    options = parse_options(system, {"walltime": "2-01:00:30"}, "x.yaml", jobs=None, memory=None)
    assert batch._cluster_arguments(options, Path("logs"))["walltime"] == walltime
    assert options.jobs == 1 and options.tls


def test_number_of_jobs_on_the_command_line_replaces_the_one_of_the_campaign():
    texts = {"walltime": "01:00:00", "jobs": "3"}
    options = parse_options("slurm", texts, "x.yaml", jobs=2, memory=None)
    assert options.jobs == 2
