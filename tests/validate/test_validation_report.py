"""HTML report of a validation in a browser."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import replace

import pytest
from helpers import processes
from helpers.requirements import outside, require_program
from helpers.validations import SOLVERS, record_with

from boardsat.commands.validate import watch
from boardsat.workflows.validate.result import ValidationResult, html_page
from boardsat.workflows.validate.workflow import ValidationRequest, validate

CHECK = """
<script>
const told = { rows: document.querySelectorAll("#runs tbody tr").length };
const all = (what) => [...document.querySelectorAll(what)];
const visible = () => all("#runs tbody tr").filter((r) => r.offsetParent !== null);
const walls = () => visible().map((r) => Number(r.cells[5].textContent));
const wall = document.querySelectorAll("#runs th button")[5];
wall.click(); told.up = walls(); wall.click(); told.down = walls();
const field = document.querySelector("#filter");
field.value = "UNARY minisat"; field.dispatchEvent(new Event("input"));
told.filtered = visible().map((r) => r.cells[0].textContent + " " + r.cells[1].textContent);
told.pictures = all("figure svg").map((s) => s.getBoundingClientRect().width);
told.first = document.body.firstElementChild.textContent.trim().split(":")[0];
told.wide = document.documentElement.scrollWidth <= window.innerWidth;
const line = document.querySelector("#tour path.tour");
told.whole = line.getAttribute("d");
document.querySelector("#play").click();
told.begun = line.getAttribute("d");
setTimeout(() => { told.middle = line.getAttribute("d"); }, 1500);
setTimeout(() => {
  told.end = line.getAttribute("d");
  told.label = document.querySelector("#move").textContent;
  const out = document.createElement("pre");
  out.id = "told";
  out.textContent = JSON.stringify(told);
  document.body.append(out);
}, 15000);
</script>
"""


# Asked for before what takes long, so of the same scope.
@pytest.fixture(scope="module", params=[pytest.param("chromium", marks=outside)])
def browser(request):
    """Debian's browser, without a window."""
    fixed = ["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr"]
    command = [require_program(request.param), *fixed]

    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        line = [*command, *map(str, arguments)]
        return processes.run(line, capture_output=True, text=True, check=True)

    return run


@pytest.fixture(scope="module")
def outcome(tmp_path_factory) -> ValidationResult:
    folder = tmp_path_factory.mktemp("validated")
    request = ValidationRequest(
        "tour",
        "unary,binary",
        ",".join(SOLVERS),
        {"rows": "3", "cols": "4", "moves": "wazir"},
        "embedded",
        results=folder,
        budget=0,
    )
    return validate(request, watch)


@pytest.mark.parametrize("width", [1200, 500])
def test_html_report_works_in_a_browser(browser, outcome, width, tmp_path):
    file = tmp_path / "report.html"
    file.write_text(html_page(outcome) + CHECK, "utf-8")
    page = browser(
        f"--window-size={width},900", "--virtual-time-budget=20000", "--dump-dom", f"file://{file}"
    )
    assert "CONSOLE" not in page.stderr, page.stderr
    answer = json.loads(re.search(r'<pre id="told">(.*?)</pre>', page.stdout, re.S)[1])
    assert answer["first"] == "agree" and answer["rows"] == len(outcome.records)
    assert answer["up"] == sorted(answer["up"]) and answer["down"] == answer["up"][::-1]
    assert len(set(answer["up"])) > 1
    assert answer["filtered"] and all("unary" in t and "minisat" in t for t in answer["filtered"])
    assert len(answer["filtered"]) < answer["rows"]
    assert answer["pictures"] and min(answer["pictures"]) > 100
    assert answer["wide"], "the page must not be wider than the screen"
    assert len(answer["begun"]) < len(answer["middle"]) < len(answer["whole"]) == len(answer["end"])
    assert answer["label"] == "move 12 of 12"


def test_html_report_is_self_contained_and_escaped(small_validation, tmp_path):
    shutil.copytree(small_validation / "results", tmp_path / "results")
    request = ValidationRequest(
        "queens", "all", "cadical,enumeration", {"n": "4"}, "embedded", budget=0
    )
    outcome = validate(replace(request, results=tmp_path / "results"), watch)
    evil = record_with(outcome.records[0], reason="<script>alert(1)</script>", solver="<b>&x")
    text = html_page(replace(outcome, records=(evil,), title="</title><script>"))
    assert "<script>alert" not in text and "<b>&x" not in text and "</title><script>" not in text
    assert re.findall(r"(?:src|href)=\"(?!data:)|@import|url\(|//[a-z]+\.", text) == [
        "//www."
    ] * text.count("http://www.w3.org/2000/svg")
