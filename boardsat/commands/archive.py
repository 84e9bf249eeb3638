"""Create an archive of instances, verify one, or submit one to a competition.

Examples:
    boardsat archive create out/archive docs/campaigns/small.yaml
    boardsat archive verify out/archive
    boardsat archive submit out/archive --to sat

An archive holds every formula with the text of its spec, hashes, sizes and the evidence for the
expected answer, in common formats; docs/archives.md describes campaigns. The same command
continues an interrupted run.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from boardsat.base.errors import InputError
from boardsat.base.text import one_line, pluralize
from boardsat.commands import _instance_options, _output_files, _run_options
from boardsat.terminal.exit_codes import INTERRUPTED, listed
from boardsat.terminal.progress import Spinner
from boardsat.terminal.streams import paint_word
from boardsat.terminal.table import table

if TYPE_CHECKING:
    from boardsat.archive.competitions import Candidate, Competition
    from boardsat.archive.create import ArchiveStep
    from boardsat.archive.manifest import Finding
    from boardsat.archive.submission import Requirement

TARGETS = ("sat", "mc")

EXIT_CODES = {
    0: "done, and everything is correct",
    1: "an archive or an answer is wrong, or does not meet the rules of a competition",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)

    def action(name: str, summary: str) -> argparse.ArgumentParser:
        added = actions.add_parser(
            name,
            help=summary,
            description=summary,
            epilog=listed(EXIT_CODES),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        _instance_options.add_build_limit(added)
        return added

    create = action("create", "make an archive, or go on with one")
    create.add_argument("folder", metavar="DIR", help="a new folder, or one to continue")
    create.add_argument("campaign", metavar="CAMPAIGN.yaml", help="the instances and the solvers")
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
        "--to", choices=TARGETS, default="sat", help="the SAT or the Model Counting Competition"
    )
    submit.add_argument(
        "-o", "--output", metavar="FOLDER", help="the output folder; default: DIR-sat or DIR-mc"
    )
    seconds, number = _run_options.number(float, 0.001), _run_options.number(int, 0)
    for gate, meaning in (
        ("plain", "the solver that must not solve an instance in a short time"),
        ("ours", "the solver that must solve it in a long time"),
    ):
        submit.add_argument(f"--{gate}", metavar="NAME", help=f"{meaning}: see `boardsat solvers`")
        submit.add_argument(f"--{gate}-time", type=seconds, metavar="S", help="its time limit")
    submit.add_argument("--instances", type=number, metavar="K", help="the number of instances")
    submit.add_argument(
        "--interesting",
        type=number,
        metavar="K",
        help="how many must pass both tests; 0: run nothing",
    )
    submit.set_defaults(action=_submit)


def run(options: argparse.Namespace) -> int:
    code: int = options.action(options)
    return code


def _create(options: argparse.Namespace) -> int:
    from boardsat.archive import identity, manifest
    from boardsat.archive.create import create

    folder = Path(options.folder)
    finished = 0

    def tell(step: ArchiveStep) -> None:
        nonlocal finished
        finished = step.number
        print(_step(step), flush=True)

    try:
        with Spinner(f"making {folder}"):
            records = create(folder, Path(options.campaign), options.jobs, tell)
    except KeyboardInterrupt:
        kept = pluralize(finished, "finished instance stays", "finished instances stay")
        print(
            f"boardsat: interrupted; {kept}, and the same command goes on from there",
            file=sys.stderr,
        )
        return INTERRUPTED
    for line in identity.duplicate_lines(sorted(records, key=lambda record: record.name)):
        print(line)
    fingerprint = manifest.fingerprint(folder)
    print(f"{folder}: {pluralize(len(records), 'instance')}, fingerprint {fingerprint}")
    return 0


def _step(step: ArchiveStep) -> str:
    known, size = step.record.evidence, step.record.identity
    numbers = (known.optimum, known.count)
    words = [known.status, *(f"{number:,}" for number in numbers if number is not None)]
    words += [] if step.is_new else ["already there"]
    return (
        f"{step.number}/{step.total} {step.record.name}: "
        f"{pluralize(size.variables, 'variable')}, {pluralize(size.clauses, 'clause')}, "
        f"{', '.join(words)}"
    )


def _verify(options: argparse.Namespace) -> int:
    import json

    from boardsat.archive import manifest, storage
    from boardsat.archive.verify import verify

    folder = Path(options.folder)
    with Spinner(f"checking {folder}"):
        findings = list(verify(folder, _run_options.limits_from(options)))
    bad = sum(finding.is_error for finding in findings)
    if options.json:
        print(json.dumps(_described(findings), indent=2))
        return int(bad > 0)
    for finding in findings:
        reason = f" ({finding.reason})" if finding.reason else ""
        print(one_line(f"{finding.status}: {finding.file}{reason}"))
    if bad:
        print(f"{one_line(str(folder))}: {paint_word('NOT intact')}, {pluralize(bad, 'finding')}")
        return 1
    number = len(manifest.parse((folder / storage.MANIFEST).read_bytes()))
    files_are = pluralize(number, "file is", "files are")
    told = f"{files_are} {paint_word('intact')}, fingerprint {manifest.fingerprint(folder)}"
    print(f"{one_line(str(folder))}: {told}")
    return 0


def _described(findings: list[Finding]) -> dict[str, object]:
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
        raise InputError("a link", "name the folder with -o", str(target))
    notes = target / submission.TIMES
    note = f"what was measured is kept in {notes}; the same command goes on from there"
    with (
        _output_files.add_interrupt_note(notes, note),
        Spinner(f"{competition.plain.solver} and {competition.ours.solver}"),
    ):
        entries, asked = submission.submit(folder, target, competition)
    print(_shown(entries, asked, competition))
    print(f"{target}: {submission.DESCRIPTION} is a skeleton: fill in what it says FILL IN at")
    return int(not all(each.is_met for each in asked))


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


def _shown(entries: list[Candidate], asked: list[Requirement], competition: Competition) -> str:
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
    lines = [table(heads, rows), "", f"{competition.name} asks for:"]
    lines += [f"{paint_word('ok' if a.is_met else 'NO')}  {a.text}: {a.actual}" for a in asked]
    return "\n".join(lines)
