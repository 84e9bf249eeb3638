"""Constraint types, one module each: its name is the key in specs.

Each module has these attributes:

DESCRIPTION_TEMPLATE : str
    Description of a constraint with `{key}` for the texts of its keys, for lists and explanations.

KEYS : tuple of str
    Optional keys in addition to the name of the type, `name` and `if`.

REQUIRED_KEYS : dict of str to str
    Optional. Further keys that a constraint must have, each with an example for messages.

ENCODINGS : str
    Optional. Kinds of encodings that the user can choose, separated by spaces.

read(keys) -> dict of str to tuple of ExpressionText
    Optional. Check the YAML nodes under the keys and return their texts. Raise InputError if they
    are invalid. By default each key has a text or a list of texts.

block(c) -> Block
    Return the clauses of a constraint, given by its ConstraintContext. Resolve all names at once;
    raise InputError if the constraint is invalid.

Specs are read by commands that do not import NumPy, so `block` imports the modules that it needs.

Examples
--------
>>> load("at_most").DESCRIPTION_TEMPLATE
'at most {at_most} of {of}'
"""

from __future__ import annotations

from boardsat.base.registry import Registry

_registry = Registry(__name__, "constraint type")
names, load = _registry.names, _registry.load
