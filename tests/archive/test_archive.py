"""Archives: made the same everywhere, whatever interrupts them, and no change goes unseen."""

from __future__ import annotations

import csv
import hashlib
import json
import lzma
import os
from typing import Any

import pytest
from helpers import processes
from helpers.archives import FILES, GRAPHS, NAMES, ROOT, campaign, content, package, verified
from helpers.campaigns import ONE
from helpers.formulas import catalogue, one_in
from helpers.problem_settings import tiny_settings
from helpers.solver_runs import boardsat

from boardsat.adapters.dimacs.gbd_hash import gbd_hash
from boardsat.archive import storage
from boardsat.archive.instance_record import read_records
from boardsat.generators import build, find, write

# What is in it


def test_an_archive_is_intact_and_complete(made):
    assert verified(made) == {}
    assert storage.file_names(made) == FILES
    sums = processes.run(["sha256sum", "--strict", "--quiet", "-c", storage.MANIFEST], cwd=made)
    assert sums.returncode == 0


def test_records_hold_what_brute_force_and_other_tools_say(made):
    records = {record.name: record for record in read_records(made)}
    for name, status, count in zip(
        NAMES, ("SATISFIABLE", "UNSATISFIABLE", "SATISFIABLE"), (1, 0, 2), strict=True
    ):
        known = records[name].evidence
        assert (known.status, known.count) == (status, count)
        plain = lzma.decompress((made / records[name].formula).read_bytes())
        tokens = [
            token
            for line in plain.decode().splitlines()
            if line[0] not in "cp"
            for token in line.split()
        ]
        identity = records[name].identity
        assert identity.sha256 == hashlib.sha256(plain).hexdigest()
        assert identity.gbd_hash == hashlib.md5(" ".join(tokens).encode()).hexdigest()
        assert (identity.bytes, identity.clauses) == (len(plain), tokens.count("0"))
    texts = records[NAMES[0]].recipe.spec.texts
    shared = ("hamilton/problem", "tour/unary", "tour/_moves", "tour/problem")
    needed = [f"specs/{name}.yaml" for name in shared]
    assert texts == {file: (ROOT / file).read_text() for file in needed}
    assert records[NAMES[0]].recipe.graphs == {"graph": (GRAPHS / "triangle.txt").read_text()}


def test_nothing_tells_where_or_when_it_was_made(made):
    here = [str(made.parent), str(ROOT), os.uname().nodename]
    for name, data in content(made).items():
        text = lzma.decompress(data) if name.endswith(".xz") else data
        assert not any(word.encode() in text for word in here), name


def test_the_model_is_one_that_any_tool_reads(made):
    answer = made.parent / "answer"
    answer.write_bytes(lzma.decompress((made / "queens-4-squares.model.xz").read_bytes()))
    assert boardsat("check", made / "queens-4-squares.cnf.xz", answer).code == 0


@pytest.mark.parametrize("spec", one_in(5, catalogue()))
def test_the_gbd_hash_is_that_of_gbdc(spec, tmp_path):
    gbdc = package("gbdc")
    target = str(tmp_path / "x.cnf.xz")
    write(build(find(spec), tiny_settings(spec.partition("/")[0])), target)
    assert gbd_hash(target) == gbdc.gbdhash(target)


def test_the_gbd_hash_of_a_known_formula(tmp_path):
    for text, tokens in (
        ("c x\np cnf 3 2\n1 -2 0\n2 3 0\n", b"1 -2 0 2 3 0"),
        ("p cnf 3 0\n", b""),
        ("c t pmc\np cnf 2 2\nc p show 1 2 0\n0\n1 0\n", b"0 1 0"),
    ):
        path = tmp_path / "x.cnf"
        path.write_text(text)
        assert gbd_hash(str(path)) == hashlib.md5(tokens).hexdigest()


def test_the_isomorphism_hash_is_that_of_gbdc(made):
    gbdc = package("gbdc")
    for record in read_records(made):
        assert record.identity.iso_hash == gbdc.isohash(str(made / record.formula))


def test_gbd_opens_the_database(archive):
    package("gbd_core")
    from gbd_core.api import GBD

    with GBD([str(archive / storage.DATABASE)]) as gbd:
        found = gbd.query("result = sat", resolve=["filename", "family", "variables", "models"])
    shown = {tuple(map(str, row)) for row in found.rows()}
    keys = {record.name: record.identity for record in read_records(archive)}
    queens = keys["queens-4-squares"]
    assert (queens.gbd_hash, "queens-4-squares.cnf.xz", "queens", "16", "2") in shown
    assert len(shown) == 2
    assert verified(archive) == {}, "reading must not change it"


def test_rocrate_loads_the_crate(made):
    package("rocrate")
    from rocrate.rocrate import ROCrate

    crate = ROCrate(made)
    listed = {entity.id for entity in crate.data_entities}
    assert listed == {*FILES} - {storage.CRATE, storage.MANIFEST, storage.PREVIEW}
    assert crate.preview is not None and crate.preview["about"] == crate.root_dataset
    assert crate.name == "Tiny boards" and str(crate.datePublished).startswith("2026-11-16")
    properties = crate.dereference("queens-4-squares.cnf.xz")["additionalProperty"]
    values = {entity["name"]: entity["value"] for entity in properties}
    assert values["status"] == "SATISFIABLE" and values["count"] == "2"


def test_every_link_of_the_crate_leads_somewhere(made):
    graph = json.loads((made / storage.CRATE).read_text())["@graph"]
    known = [entity["@id"] for entity in graph]
    assert len(known) == len(set(known))

    def links(value: Any) -> list[str]:
        if isinstance(value, list):
            return [link for each in value for link in links(each)]
        return [value["@id"]] if isinstance(value, dict) else []

    wanted = {link for entity in graph for value in entity.values() for link in links(value)}
    assert {link for link in wanted if not link.startswith("https://w3id.org/")} <= set(known)


def test_the_table_and_the_citation(made):
    with (made / storage.TABLE).open() as file:
        rows = {row["filename"]: row for row in csv.DictReader(file)}
    assert rows["queens-4-squares.cnf.xz"]["count"] == "2"
    assert rows["queens-3-squares.cnf.xz"]["status"] == "UNSATISFIABLE"
    cited = (made / storage.CITATION).read_text()
    assert "family-names: Lovelace" in cited and "https://orcid.org/0000-0001-2345-6789" in cited


def test_duplicates_are_reported(tmp_path):
    package("gbdc")
    text = "instances:\n  - {problem: queens, set: {n: 4, amo: pairwise}}\n"
    text += "  - {problem: queens, set: {n: 4}}\n  - {problem: queens, set: {n: 4}, shuffle: 3}\n"
    said = boardsat("archive", "create", tmp_path / "a", campaign(tmp_path, text), *ONE)
    assert "queens-4-squares-amo_pairwise has the clauses of queens-4-squares\n" in said.out
    assert "queens-4-squares-shuffle3 may be isomorphic to queens-4-squares\n" in said.out
    assert verified(tmp_path / "a") == {}
