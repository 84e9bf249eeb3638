"""Registry of the modules of a package."""

from __future__ import annotations

import pytest

from boardsat import commands
from boardsat.adapters import formats as read_formats
from boardsat.base.errors import InputError
from boardsat.generators import boards, constraints, encodings, formats


@pytest.mark.parametrize("package", [boards, commands, constraints, formats, read_formats])
def test_registered_names_load_modules_of_their_names(package):
    assert package.names() == tuple(sorted(package.names()))
    for name in package.names():
        assert package.load(name).__name__ == f"{package.__name__}.{name}"


@pytest.mark.parametrize(
    ("load", "names", "line"),
    [
        (boards.load, ["gird"], "no board shape 'gird'; did you mean 'grid'?"),
        (boards.load, ["_pieces"], "no board shape '_pieces'; choose from: "),
        (formats.load, ["cfn"], "no format 'cfn'; did you mean 'cnf'?"),
        (encodings.load, ["amo", "lader"], "no encoding of kind amo 'lader'; did you mean"),
        (encodings.load, ["pbs", "bdd"], "no kind of encoding 'pbs'; did you mean 'pb'?"),
    ],
)
def test_unknown_name_raises_input_error_with_suggestion(load, names, line):
    with pytest.raises(InputError) as raised:
        load(*names)
    assert str(raised.value).startswith(line)
