"""Files of wheel and sdist, commands of the installed wheel, and the ids of all tests."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from snapshot import commands
from snapshot.sandbox import ROOT, by_program


def record() -> dict[str, Any]:
    """Build wheel and sdist, install the wheel beside its dependencies, and run the commands."""
    with tempfile.TemporaryDirectory(prefix="snapshot-") as folder:
        clone = f"{folder}/clone"
        # Of a clone, so that nothing is packed that is not committed.
        _run("git", "clone", "-q", str(ROOT), clone)
        _run(sys.executable, "-m", "build", "-o", f"{folder}/dist", clone)
        wheel = next(Path(folder, "dist").glob("*.whl"))
        sdist = next(Path(folder, "dist").glob("*.tar.gz"))
        with zipfile.ZipFile(wheel) as packed, tarfile.open(sdist) as tar:
            entries: dict[str, Any] = {f"wheel: {name}": True for name in packed.namelist()}
            entries |= {f"sdist: {name}": True for name in tar.getnames()}
        _run(sys.executable, "-m", "venv", "--system-site-packages", f"{folder}/venv")
        python = f"{folder}/venv/bin/python"
        # The dependencies of the venv that runs this; the wheel comes before them on the path.
        site = next(Path(folder, "venv/lib").glob("python3*/site-packages"))
        (site / "dependencies.pth").write_text("\n".join(_site_packages()) + "\n")
        _run(python, "-m", "pip", "install", "-q", "--no-deps", "--force-reinstall", str(wheel))
        program = f"{folder}/venv/bin/boardsat"
        return entries | commands.record(by_program(program), bad_specs=False)


def _site_packages() -> list[str]:
    return [path for path in sys.path if path.endswith("site-packages")]


def record_tests() -> dict[str, bool]:
    """Return the id of every collected test."""
    outcome = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return {line: True for line in outcome.stdout.splitlines() if "::" in line}


def _run(*arguments: str) -> None:
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)
