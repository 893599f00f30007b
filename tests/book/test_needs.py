"""What a notebook needs is read from its code, and from all that this reaches."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

from tools.site.environment import BuildError
from tools.site.needs import Reach, extras
from tools.site.packages import Packages
from tools.site.project import Project

COURSE = Project(Path(__file__).resolve().parents[2])
LIBRARY = {
    "lab/__init__.py": "from lab.tools import draw\n",
    "lab/tools.py": """
        from typing import TYPE_CHECKING
        from lab import deep
        if TYPE_CHECKING:
            import stubs
        def draw():
            import pictures.axes
        def train():
            import teacher
            return deep.fit()
        def read():
            try:
                import fast
            except ImportError:
                return None
            try:
                import slow
            except ImportError:
                raise RuntimeError("no slow") from None
        class Model:
            def __init__(self):
                import weights
            def save(self):
                import store
        if __name__ == "__main__":
            train()
        """,
    "lab/deep.py": "import os, json\ndef fit():\n    import solver\n",
    "lab/by_name.py": """
        import importlib
        def run(name):
            return importlib.import_module(f"lab.claims.{name}").measure()
        """,
    "lab/claims/__init__.py": "",
    "lab/claims/one.py": "def measure():\n    import meter\n",
    "lab/claims/two.py": "import scale\n",
}


@pytest.fixture
def lib(tmp_path: Path) -> Path:
    for name, text in LIBRARY.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = text.splitlines()
        path.write_text("\n".join(line.removeprefix(" " * 8) for line in lines) + "\n")
    return tmp_path


def reached(lib: Path, *code: str) -> set[str]:
    return Reach(Packages.below(lib), [nbformat.v4.new_code_cell(cell) for cell in code]).modules


@pytest.mark.parametrize(
    ("code", "needs"),
    [
        ("import lab", set()),
        ("import lab\nlab.draw()", {"pictures"}),
        ("from lab import draw as paint\npaint()", {"pictures"}),
        ("from lab import tools\ntools.train()", {"teacher", "solver"}),
        ("from lab import tools\ntools.read()", {"slow"}),
        ("from lab.tools import Model", set()),
        ("from lab.tools import Model\nmodel = Model()", {"weights"}),
        ("from lab.tools import Model\nModel().save()", {"weights", "store"}),
        ("def f():\n    import other", {"other"}),
        ("from lab.by_name import run\nrun('one')", {"meter"}),
        ("from lab.by_name import run\nrun('two')", {"scale"}),
        ("train = save = 1\nimport lab", set()),
        ("%load_ext magic\nimport IPython, sys\n!import x", set()),
    ],
)
def test_what_code_reaches(lib: Path, code: str, needs: set[str]) -> None:
    assert reached(lib, code) - {"lab"} == needs


@pytest.mark.parametrize(("chapter", "torch"), [("windows", True), ("hashing", False)])
def test_extras_of_a_chapter_cover_what_it_imports_inside_of_functions(
    site: Path, chapter: str, torch: bool
) -> None:
    # `windows` calls a function of attnlab that imports torch; `hashing` does not.
    notebook = nbformat.read(site / "notebooks" / f"{chapter}.ipynb", as_version=4)
    (install,) = (cell for cell in notebook.cells if cell.id == "install")
    others = [cell for cell in notebook.cells if cell.id != "install"]
    modules = Reach(COURSE.packages, others).modules
    found, chosen = extras(COURSE, chapter, modules)
    assert {"attn", "attnlab", "coursekit", "matplotlib", "numpy"} <= set(found)
    assert ("torch" in found) is torch
    assert chosen == (["notebook", "torch"] if torch else ["notebook"])
    assert found["attn"] == ""
    assert found["matplotlib"].startswith("matplotlib>=")
    assert f'extras="{",".join(chosen)}"' in install.source


def test_module_that_no_extra_has_is_one_line() -> None:
    with pytest.raises(BuildError, match=r"first imports unheard_of, which nothing in pyproject"):
        extras(COURSE, "first", {"attn", "numpy", "unheard_of"})
