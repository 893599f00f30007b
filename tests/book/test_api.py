"""The page of the library has every public name, and the built site can be linked to at each."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from types import ModuleType

import pytest
from sphinx.util.inventory import InventoryFile

import attn
import attn.torch

ROOT = Path(__file__).resolve().parents[2]
MODULES = pytest.mark.parametrize("module", [attn, attn.torch], ids=lambda m: m.__name__)


def listed(module: ModuleType) -> list[tuple[str, str]]:
    """Return what the page documents of a module: pairs of directive and name."""
    text = (ROOT / "book" / "api.md").read_text(encoding="utf-8")
    parts = re.split(r"\.\. currentmodule:: (\S+)", text)[1:]
    of_module = dict(zip(parts[::2], parts[1::2], strict=True))[module.__name__]
    return re.findall(r"\.\. auto(\w+):: (\w+)", of_module)


@MODULES
def test_every_public_name_is_on_the_page_once_a_class_as_a_class(module: ModuleType) -> None:
    assert sorted(name for _, name in listed(module)) == module.__all__
    for kind, name in listed(module):
        assert kind == ("class" if inspect.isclass(getattr(module, name)) else "function"), name


@pytest.mark.browser
@MODULES
def test_every_public_name_can_be_linked_to(site: Path, module: ModuleType) -> None:
    with (site / "objects.inv").open("rb") as file:
        known = InventoryFile.load(file, "", lambda base, uri: uri)
    places = {
        name: at[2] for kind in ("py:function", "py:class") for name, at in known[kind].items()
    }
    names = {f"{module.__name__}.{name}" for name in module.__all__}
    assert names - set(places) == set()
    page = (site / "api.html").read_text(encoding="utf-8")
    for name in names:
        assert places[name] == f"api.html#{name}"
        entry = page.split(f'id="{name}"', 1)[1].split('class="py ', 1)[0]
        assert ">Parameters<" in entry or ">Examples<" in entry, name
