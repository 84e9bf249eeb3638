"""Sections of a spec, one module each: they turn texts into boards, names, variables and views."""
