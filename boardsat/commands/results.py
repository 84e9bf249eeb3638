"""Print the results of a campaign as a table, CSV or JSON, or write them as Parquet.

Examples:
    boardsat results out/small
    boardsat results out/small --where solver=cadical --where status=UNKNOWN
    boardsat results out/small --where 'n>=8' --csv > results.csv
    boardsat results out/small --parquet results.parquet

Each run is a row: wall and CPU time in seconds, memory in MB, and the share of a CPU core that the
run had, marked BUSY if other processes slowed it down. --where accepts any column of --csv;
parameters of problems are columns too (n>=8).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from boardsat.base.text import one_line, pluralize
from boardsat.terminal.exit_codes import SUCCESS

if TYPE_CHECKING:
    from boardsat.campaign.report.run_table import Row, Runs

EXIT_CODES = SUCCESS
HEADS = (
    *("instance", "encoding", "solver", "version", "seed", "status", "checked"),
    *("wall", "cpu", "MB", "share"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="the folder of `boardsat run`")
    parser.add_argument(
        "--where",
        action="append",
        default=[],
        metavar="COLUMN=VALUE",
        help="only runs that satisfy the condition; also != < <= > >=; repeat it for conjunctions",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="print CSV with all columns")
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument("--parquet", metavar="FILE", help="write a Parquet file (needs pyarrow)")


def run(options: argparse.Namespace) -> int:
    from boardsat.campaign.report import require_package, run_table
    from boardsat.commands import _output_files

    if options.parquet is not None:
        _output_files.check_targets(options)
        require_package("pyarrow", "--parquet")
    runs = run_table.Runs(Path(options.folder))
    columns = runs.columns()
    conditions = [run_table.parse_condition(text, columns) for text in options.where]
    rows = (row for row in runs if all(condition.holds(row) for condition in conditions))
    if options.csv:
        run_table.write_csv(columns, rows, sys.stdout)
    elif options.json:
        run_table.write_json(columns, rows, sys.stdout)
    elif options.parquet is not None:
        written = run_table.write_parquet(columns, rows, options.parquet)
        size = f"{pluralize(written, 'row')}, {pluralize(len(columns), 'column')}"
        print(f"{options.parquet}: {size}")
    else:
        _print_table(list(rows), runs)
        return 0
    for line in _notes(runs):
        print(one_line(line), file=sys.stderr)
    return 0


def _print_table(rows: list[Row], runs: Runs) -> None:
    from boardsat.terminal.table import table

    print(table(HEADS, [_cells(row) for row in rows]))
    print(f"{len(rows):,} of {pluralize(len(runs.records), 'run')}")
    for line in _notes(runs):
        print(one_line(line))


def _notes(runs: Runs) -> list[str]:
    """Return notes about the reliability of the measured times."""
    from boardsat.campaign.report.measurement import timing_notes

    return timing_notes(runs.records, runs.note)


def _cells(row: Row) -> list[str]:
    return [
        row["instance"],
        row["encoding"],
        Path(row["solver"]).stem,
        row["version"],
        "" if row["seed"] is None else str(row["seed"]),
        row["status"],
        "WRONG" if row["fault"] else " ".join(row["checked"]),
        f"{row['scored_wall']:.2f}",
        "" if row["scored_cpu"] is None else f"{row['scored_cpu']:.2f}",
        "" if row["scored_memory"] is None else f"{row['scored_memory'] / 2**20:.0f}",
        _share(row),
    ]


def _share(row: Row) -> str:
    """Return the share of a CPU core that a run had, marked if the machine was busy."""
    share = "" if row["cpu_share"] is None else f"{row['cpu_share']:.0%}"
    return f"{share} BUSY".strip() if row["contended"] else share
