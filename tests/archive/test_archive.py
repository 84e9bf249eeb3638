"""Contents of archives, compared with brute force and with third-party tools."""

from __future__ import annotations

import csv
import hashlib
import json
import lzma
import os
from typing import Any

import pytest
from helpers import processes
from helpers.archives import (
    FILES,
    GRAPHS,
    NAMES,
    ROOT,
    campaign,
    content,
    import_package,
    verify_findings,
)
from helpers.campaigns import ONE
from helpers.formulas import catalogue, one_in
from helpers.problem_settings import tiny_settings
from helpers.solver_runs import boardsat

from boardsat.adapters.dimacs.gbd_hash import gbd_hash
from boardsat.archive import storage
from boardsat.archive.instance_record import read_records
from boardsat.generators import build, find, write

# Contents


def test_archive_is_intact_and_complete(shared_archive):
    assert verify_findings(shared_archive) == {}
    assert storage.file_names(shared_archive) == FILES
    sums = processes.run(
        ["sha256sum", "--strict", "--quiet", "-c", storage.MANIFEST], cwd=shared_archive
    )
    assert sums.returncode == 0


def test_records_equal_brute_force_and_other_tools(shared_archive):
    records = {record.name: record for record in read_records(shared_archive)}
    for name, status, count in zip(
        NAMES, ("SATISFIABLE", "UNSATISFIABLE", "SATISFIABLE"), (1, 0, 2), strict=True
    ):
        evidence = records[name].evidence
        assert (evidence.status, evidence.count) == (status, count)
        plain = lzma.decompress((shared_archive / records[name].formula).read_bytes())
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


def test_archive_contains_no_path_or_host(shared_archive):
    private_texts = [str(shared_archive.parent), str(ROOT), os.uname().nodename]
    for name, content_bytes in content(shared_archive).items():
        text = lzma.decompress(content_bytes) if name.endswith(".xz") else content_bytes
        assert not any(private_text.encode() in text for private_text in private_texts), name


def test_archived_model_is_accepted_by_check(shared_archive):
    answer = shared_archive.parent / "answer"
    answer.write_bytes(lzma.decompress((shared_archive / "queens-4-squares.model.xz").read_bytes()))
    assert boardsat("check", shared_archive / "queens-4-squares.cnf.xz", answer).code == 0


@pytest.mark.parametrize("spec", one_in(5, catalogue()))
def test_gbd_hash_equals_gbdc(spec, tmp_path):
    gbdc = import_package("gbdc")
    target = str(tmp_path / "x.cnf.xz")
    write(build(find(spec), tiny_settings(spec.partition("/")[0])), target)
    assert gbd_hash(target) == gbdc.gbdhash(target)


def test_gbd_hash_of_known_formula(tmp_path):
    for text, tokens in (
        ("c x\np cnf 3 2\n1 -2 0\n2 3 0\n", b"1 -2 0 2 3 0"),
        ("p cnf 3 0\n", b""),
        ("c t pmc\np cnf 2 2\nc p show 1 2 0\n0\n1 0\n", b"0 1 0"),
    ):
        path = tmp_path / "x.cnf"
        path.write_text(text)
        assert gbd_hash(str(path)) == hashlib.md5(tokens).hexdigest()


def test_isomorphism_hash_equals_gbdc(shared_archive):
    gbdc = import_package("gbdc")
    for record in read_records(shared_archive):
        assert record.identity.iso_hash == gbdc.isohash(str(shared_archive / record.formula))


def test_gbd_reads_database(archive):
    import_package("gbd_core")
    from gbd_core.api import GBD

    with GBD([str(archive / storage.DATABASE)]) as gbd:
        query_result = gbd.query(
            "result = sat", resolve=["filename", "family", "variables", "models"]
        )
    rows_as_text = {tuple(map(str, row)) for row in query_result.rows()}
    keys = {record.name: record.identity for record in read_records(archive)}
    queens = keys["queens-4-squares"]
    assert (queens.gbd_hash, "queens-4-squares.cnf.xz", "queens", "16", "2") in rows_as_text
    assert len(rows_as_text) == 2
    assert verify_findings(archive) == {}, "reading must not change it"


def test_rocrate_loads_crate(shared_archive):
    import_package("rocrate")
    from rocrate.rocrate import ROCrate

    crate = ROCrate(shared_archive)
    listed = {entity.id for entity in crate.data_entities}
    assert listed == {*FILES} - {storage.CRATE, storage.MANIFEST, storage.PREVIEW}
    assert crate.preview is not None and crate.preview["about"] == crate.root_dataset
    assert crate.name == "Tiny boards" and str(crate.datePublished).startswith("2026-11-16")
    properties = crate.dereference("queens-4-squares.cnf.xz")["additionalProperty"]
    values = {entity["name"]: entity["value"] for entity in properties}
    assert values["status"] == "SATISFIABLE" and values["count"] == "2"


def test_links_of_crate_have_targets(shared_archive):
    graph = json.loads((shared_archive / storage.CRATE).read_text())["@graph"]
    ids = [entity["@id"] for entity in graph]
    assert len(ids) == len(set(ids))

    def links(node: Any) -> list[str]:
        if isinstance(node, list):
            return [link for element in node for link in links(element)]
        return [node["@id"]] if isinstance(node, dict) else []

    targets = {link for entity in graph for node in entity.values() for link in links(node)}
    assert {link for link in targets if not link.startswith("https://w3id.org/")} <= set(ids)


def test_table_and_citation_have_results_and_authors(shared_archive):
    with (shared_archive / storage.TABLE).open() as file:
        rows = {row["filename"]: row for row in csv.DictReader(file)}
    assert rows["queens-4-squares.cnf.xz"]["count"] == "2"
    assert rows["queens-3-squares.cnf.xz"]["status"] == "UNSATISFIABLE"
    cited = (shared_archive / storage.CITATION).read_text()
    assert "family-names: Lovelace" in cited and "https://orcid.org/0000-0001-2345-6789" in cited


def test_duplicate_and_isomorphic_instances_are_reported(tmp_path):
    import_package("gbdc")
    text = "instances:\n  - {problem: queens, set: {n: 4, amo: pairwise}}\n"
    text += "  - {problem: queens, set: {n: 4}}\n  - {problem: queens, set: {n: 4}, shuffle: 3}\n"
    output = boardsat("archive", "create", tmp_path / "a", campaign(tmp_path, text), *ONE)
    assert "queens-4-squares-amo_pairwise has the clauses of queens-4-squares\n" in output.out
    assert "queens-4-squares-shuffle3 may be isomorphic to queens-4-squares\n" in output.out
    assert verify_findings(tmp_path / "a") == {}
