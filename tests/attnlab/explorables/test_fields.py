"""Explorables as widgets on older libraries of widgets."""

from __future__ import annotations

import subprocess
import sys

#: Up to traitlets 5.9, and so on Colab, `TraitType` takes no type parameters.
WITHOUT_PARAMETERS = """
import anywidget, traitlets

def refuse(cls, parameters):
    raise TypeError(f"type {cls.__name__!r} is not subscriptable")

traitlets.TraitType.__class_getitem__ = classmethod(refuse)
from attnlab import explorables

widget = explorables.SoftDictionary()
print(isinstance(widget, anywidget.AnyWidget), bool(widget.get_state()))
"""


def test_open_where_traits_take_no_type_parameters() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_PARAMETERS], capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "True True", done.stderr
