"""LICENSE.txt: the text of the license that the campaign names."""

from __future__ import annotations

from pathlib import Path

from boardsat.campaign.metadata import About

_TEXTS = Path(__file__).parent / "licenses"
"""Texts without blanks to fill in, as data sets have them; named by SPDX."""


def license_text(about: About) -> bytes:
    """Return the text of a known license, or a notice that names any other."""
    if not about.license:
        return (
            b"The authors of this archive have named no license. Without one, copyright law\n"
            b"decides what you may do with it; ask the authors for more.\n"
        )
    # The name was checked by a pattern, which has no slash in it.
    known = _TEXTS / f"{about.license}.txt"
    if known.is_file():
        return known.read_bytes()
    return (
        f"The license of this archive is {about.license} (SPDX identifier).\n"
        f"Its text: https://spdx.org/licenses/{about.license}.html\n"
    ).encode()
