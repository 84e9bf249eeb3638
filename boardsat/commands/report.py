"""Report on a campaign as one HTML page, and its plots as files for a paper.

Examples:
    boardsat report out/small --html small.html
    boardsat report out/small --plots plots/

The page works offline. It has rankings by PAR-2, interactive plots, boards, and the answers that
contradict each other. --plots writes each plot as SVG and PDF, and its numbers as CSV.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from boardsat.base.errors import InputError
from boardsat.base.text import one_line, pluralize
from boardsat.commands import _instance_options, _output_files

EXIT_CODES = {0: "no answers contradict each other", 1: "some answers contradict each other"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="the folder of `boardsat run`")
    parser.add_argument("--html", metavar="FILE", help="write the page to FILE")
    parser.add_argument(
        "--plots", metavar="FOLDER", help="write the plots into FOLDER (needs matplotlib)"
    )
    _instance_options.add_build_limit(parser)


def run(options: argparse.Namespace) -> int:
    if options.html is None and options.plots is None:
        raise InputError("nothing to write", "give --html FILE or --plots FOLDER")
    _output_files.check_targets(options)
    if options.plots is not None:
        _check_plots(options.plots)
    from boardsat.campaign.report.analysis import analyze
    from boardsat.campaign.report.measurement import timing_notes

    analysis = analyze(Path(options.folder))
    if options.html is not None:
        from boardsat.campaign.report.campaign_page import campaign_page

        _output_files.write(options.html, campaign_page(analysis))
        print(one_line(f"{options.html}: {pluralize(len(analysis.records), 'run')}"))
    if options.plots is not None:
        from boardsat.campaign.report.plots import write_plots

        for path in write_plots(analysis, Path(options.plots)):
            print(one_line(str(path)))
    for line in timing_notes(analysis.records, analysis.note):
        print(one_line(line))
    for contradiction in analysis.contradictions:
        print(one_line(contradiction.line))
    return int(bool(analysis.contradictions))


def _check_plots(folder: str) -> None:
    """Raise an error if the plots cannot be written."""
    from boardsat.base.files import check_folder
    from boardsat.campaign.report import require_package

    if not folder:
        raise InputError("the name of the folder is empty", "", "--plots")
    check_folder(folder)
    require_package("matplotlib", "--plots")
