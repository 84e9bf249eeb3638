"""Create or verify an archive of instances, or prepare a submission to a competition.

Examples:
    boardsat archive create out/archive docs/campaigns/small.yaml
    boardsat archive verify out/archive
    boardsat archive submit out/archive --to sat

An archive contains formulas with their specs, hashes, sizes, and evidence for the expected answers,
in common formats: see docs/archives.md. Repeating a command continues an interrupted one.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from boardsat.base.errors import InputError
from boardsat.base.text import one_line, pluralize
from boardsat.commands import _instance_options, _output_files, _run_options
from boardsat.terminal.exit_codes import INTERRUPTED, format_exit_codes
from boardsat.terminal.progress import Spinner
from boardsat.terminal.streams import paint_word
from boardsat.terminal.table import table

if TYPE_CHECKING:
    from boardsat.archive.competitions import Candidate, Competition
    from boardsat.archive.create import ArchiveStep
    from boardsat.archive.storage import Finding
    from boardsat.archive.submission import Requirement

TARGETS = ("sat", "mc")

EXIT_CODES = {
    0: "done, and all checks passed",
    1: "a check failed, or a rule of the competition is not met",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)

    def action(name: str, summary: str) -> argparse.ArgumentParser:
        subparser = actions.add_parser(
            name,
            help=summary,
            description=summary,
            epilog=format_exit_codes(EXIT_CODES),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        _instance_options.add_build_limit(subparser)
        return subparser

    create = action("create", "create an archive, or continue an interrupted one")
    create.add_argument("folder", metavar="DIR", help="the folder of the archive")
    create.add_argument("campaign", metavar="CAMPAIGN.yaml", help="instances, solvers and limits")
    _run_options.add_jobs(create)
    create.set_defaults(action=_create)

    verify = action("verify", "check every file of an archive")
    verify.add_argument("folder", metavar="DIR")
    _run_options.add_proof_resources(verify)
    verify.add_argument("--json", action="store_true", help="print JSON")
    verify.set_defaults(action=_verify)

    submit = action("submit", "prepare a submission to a competition")
    submit.add_argument("folder", metavar="DIR")
    submit.add_argument(
        "--to", choices=TARGETS, default="sat", help="SAT Competition or Model Counting Competition"
    )
    submit.add_argument(
        "-o", "--output", metavar="FOLDER", help="the output folder; default: DIR-sat or DIR-mc"
    )
    seconds, number = _run_options.number(float, 0.001), _run_options.number(int, 0)
    for gate, description in (
        ("plain", "solver that must not solve an instance within a short time"),
        ("ours", "solver that must solve it within a long time"),
    ):
        submit.add_argument(f"--{gate}", metavar="NAME", help=description)
        submit.add_argument(
            f"--{gate}-time",
            type=seconds,
            metavar="SECONDS",
            help=f"time limit in seconds of --{gate}",
        )
    submit.add_argument("--instances", type=number, metavar="K", help="number of instances")
    submit.add_argument(
        "--interesting",
        type=number,
        metavar="K",
        help="number of instances that must pass both tests; 0: no test is run",
    )
    submit.set_defaults(action=_submit)


def run(options: argparse.Namespace) -> int:
    code: int = options.action(options)
    return code


def _create(options: argparse.Namespace) -> int:
    from boardsat.archive import instance_record, storage
    from boardsat.archive.create import create

    folder = Path(options.folder)
    finished = 0

    def print_step(step: ArchiveStep) -> None:
        nonlocal finished
        finished = step.number
        print(_step_line(step), flush=True)

    try:
        with Spinner(f"creating {folder}"):
            records = create(folder, Path(options.campaign), options.jobs, print_step)
    except KeyboardInterrupt:
        stored = pluralize(finished, "finished instance is", "finished instances are")
        print(
            f"boardsat: interrupted; {stored} stored, and the same command continues",
            file=sys.stderr,
        )
        return INTERRUPTED
    for line in instance_record.duplicate_lines(sorted(records, key=lambda record: record.name)):
        print(line)
    fingerprint = storage.fingerprint(folder)
    print(f"{folder}: {pluralize(len(records), 'instance')}, fingerprint {fingerprint}")
    return 0


def _step_line(step: ArchiveStep) -> str:
    evidence, size = step.record.evidence, step.record.identity
    numbers = (evidence.optimum, evidence.count)
    texts = [evidence.status, *(f"{number:,}" for number in numbers if number is not None)]
    texts += [] if step.is_new else ["already there"]
    return (
        f"{step.number}/{step.total} {step.record.name}: "
        f"{pluralize(size.variables, 'variable')}, {pluralize(size.clauses, 'clause')}, "
        f"{', '.join(texts)}"
    )


def _verify(options: argparse.Namespace) -> int:
    import json

    from boardsat.archive import storage
    from boardsat.archive.verify import verify

    folder = Path(options.folder)
    with Spinner(f"checking {folder}"):
        findings = list(verify(folder, _run_options.limits_from(options)))
    bad = sum(finding.is_error for finding in findings)
    if options.json:
        print(json.dumps(_to_json(findings), indent=2))
        return int(bad > 0)
    for finding in findings:
        reason = f" ({finding.reason})" if finding.reason else ""
        print(one_line(f"{finding.status}: {finding.file}{reason}"))
    if bad:
        print(f"{one_line(str(folder))}: {paint_word('NOT intact')}, {pluralize(bad, 'finding')}")
        return 1
    number = len(storage.parse_manifest((folder / storage.MANIFEST).read_bytes()))
    files_are = pluralize(number, "file is", "files are")
    verdict = f"{files_are} {paint_word('intact')}, fingerprint {storage.fingerprint(folder)}"
    print(f"{one_line(str(folder))}: {verdict}")
    return 0


def _to_json(findings: list[Finding]) -> dict[str, object]:
    return {
        "intact": not any(finding.is_error for finding in findings),
        "findings": [
            {"file": finding.file, "what": finding.status, "reason": finding.reason}
            for finding in findings
        ],
    }


def _submit(options: argparse.Namespace) -> int:
    from boardsat.archive import submission

    competition = _competition(options)
    folder = Path(options.folder)
    target = Path(options.output or f"{folder}-{options.to}")
    if target.is_symlink() and not options.output:
        raise InputError("the output folder is a symbolic link", "name it by -o", str(target))
    times_file = target / submission.TIMES
    note = f"measured times are stored in {times_file}; the same command continues"
    with (
        _output_files.add_interrupt_note(times_file, note),
        Spinner(f"{competition.plain.solver} and {competition.ours.solver}"),
    ):
        entries, requirements = submission.submit(folder, target, competition)
    print(_table(entries, requirements, competition))
    print(f"{target}: {submission.DESCRIPTION} is a draft: complete it where it says FILL IN")
    return int(not all(requirement.is_met for requirement in requirements))


def _competition(options: argparse.Namespace) -> Competition:
    from dataclasses import replace

    from boardsat.adapters import solvers
    from boardsat.archive.competitions import COMPETITIONS

    competition = COMPETITIONS[options.to]
    gates = {}
    for name in ("plain", "ours"):
        gate = getattr(competition, name)
        solver = solvers.load(getattr(options, name) or gate.solver).name
        gates[name] = replace(
            gate, solver=solver, seconds=getattr(options, f"{name}_time") or gate.seconds
        )
    numbers = {
        key: getattr(options, key)
        for key in ("instances", "interesting")
        if getattr(options, key) is not None
    }
    return replace(competition, **gates, **numbers)


def _table(
    entries: list[Candidate], requirements: list[Requirement], competition: Competition
) -> str:
    def time(seconds: float | None) -> str:
        return "" if seconds is None else f"{seconds:.2f}"

    rows = [
        [
            entry.record.name,
            f"{entry.record.identity.variables:,}",
            f"{entry.record.identity.clauses:,}",
            time(entry.difficulty.plain),
            time(entry.difficulty.ours),
            entry.difficulty.hardness,
        ]
        for entry in entries
    ]
    heads = ["instance", "variables", "clauses"]
    heads += [str(competition.plain), str(competition.ours), ""]
    lines = [table(heads, rows), "", f"{competition.name} requires:"]
    for requirement in requirements:
        mark = paint_word("ok" if requirement.is_met else "NO")
        lines.append(f"{mark}  {requirement.text}: {requirement.actual}")
    return "\n".join(lines)
