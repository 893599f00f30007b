"""What is withheld is gone from wherever a learner finds it, and the library goes on working."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from coursekit.bank import Bank
from coursekit.model import withheld_by
from coursekit.notebook.references import References
from coursekit.notebook.statements import WITHHELD as WITHHELD_LINE
from coursekit.notebook.statements import statement

WITHHELD = (
    "does what an exercise of this chapter asks for: it is withheld from all cells while work is "
    "graded"
)
BEFORE = """\
import os, sys
import numpy as np
from coursekit.grade.learner.withhold import WithheldError, withhold
{loaded}
withhold({names})
def ask(asked, *given):
    try:
        asked(*given)
    except WithheldError as error:
        print(error)
def in_a_child(code):
    if (child := os.fork()) == 0:
        exec(code + "\\nask(asked, np.zeros(3))", globals())
        sys.stdout.flush()
        os._exit(0)
    os.waitpid(child, 0)
"""
ASK = "\nask(asked, np.zeros(3))\n"


def output_of(code: str, loaded: str = "", names: tuple[str, ...] = ("attn.softmax",)) -> str:
    """Return what a fresh Python prints that has withheld names before it ran the code."""
    script = BEFORE.format(loaded=loaded, names=names) + code
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


WAYS = [
    "from attn import softmax as asked",
    "from attn import *\nasked = softmax",
    "import attn\nasked = attn.softmax",
    "import attn.normalisation\nasked = attn.normalisation.softmax",
    "from attn.normalisation import softmax as asked",
    "import importlib\nasked = importlib.import_module('attn').softmax",
    "import importlib\nasked = importlib.import_module('attn.normalisation').softmax",
    "import attn, importlib\nimportlib.reload(attn.normalisation)\n"
    "asked = importlib.reload(attn).softmax",
    "import attn, sys\n"
    "for name in [name for name in sys.modules if name.startswith('attn')]:\n"
    "    del sys.modules[name]\n"
    "from attn import softmax as asked",
    "import attn, sys\nasked = vars(sys.modules['attn.normalisation'])['softmax']",
    "__import__('attn')\nasked = getattr(__import__('attn'), 'softmax')",
]
#: The formula behind it is withheld, too.
FORMULA = [
    f"from {module} import softmax as asked"
    for module in ("attn.formulas", "attn.formulas.attention", "attn.lsh")
]


@pytest.mark.parametrize("loaded", ["import attn", ""], ids=["loaded before", "loaded later"])
def test_no_way_of_importing_it_gives_it(loaded: str) -> None:
    code = "\n".join(f"in_a_child({way!r})" for way in [*WAYS, *FORMULA])
    told = [f"attn.softmax {WITHHELD}"] * len(WAYS)
    told += [f"attn.formulas.softmax {WITHHELD}"] * len(FORMULA)
    assert output_of(code, loaded).splitlines() == told


@pytest.mark.parametrize("loaded", ["import attn", ""], ids=["loaded before", "loaded later"])
def test_the_library_goes_on_working_inside(loaded: str) -> None:
    code = """
import attn
query, key = np.array([[1.0, 0.0]]), np.array([[1.0, 1.0], [0.0, 1.0]])
print(attn.scaled_dot_product_attention(query, key, key, scale=1.0).round(3).tolist())
print(attn.MultiHeadAttention(4, 2)(np.ones((1, 3, 4))).shape)
"""
    # The first calls a function of its own module that is withheld, the second one of another's.
    names = ("attn.softmax", "attn.attention_weights", "attn.split_heads")
    assert output_of(code, loaded, names) == "[[0.731, 1.0]]\n(1, 3, 4)\n"


@pytest.mark.parametrize("loaded", ["import attn.torch", "import attn", ""])
def test_its_twin_for_torch_is_withheld_too(loaded: str) -> None:
    code = """
import torch
import attn.torch
from attn.torch.attention import softmax
for asked in (attn.torch.softmax, softmax, attn.torch.AdditiveScore, attn.softmax):
    ask(asked, torch.zeros(3))
x = torch.zeros(2, 3)
print(attn.torch.scaled_dot_product_attention(x, x, x).shape)
"""
    names = ("attn.softmax", "attn.AdditiveScore")
    lines = output_of(code, loaded, names).splitlines()
    twins = ("attn.torch.softmax", "attn.torch.softmax", "attn.torch.AdditiveScore", "attn.softmax")
    assert lines == [*(f"{name} {WITHHELD}" for name in twins), "torch.Size([2, 3])"]


def test_withholding_imports_nothing() -> None:
    code = "import sys\nprint([n for n in sys.modules if n.partition('.')[0] in ('attn', 'torch')])"
    assert output_of(code, names=("attn.softmax", "attn.torch.softmax")) == "[]\n"


def test_a_class_cannot_be_made_nor_derived_nor_asked() -> None:
    code = """
import attn
class Mine(attn.KeyValueCache):
    pass
ask(attn.KeyValueCache)
ask(Mine)
try:
    attn.MultiHeadAttention.from_torch
except AttributeError as error:
    print(error)
"""
    names = ("attn.KeyValueCache", "attn.MultiHeadAttention")
    assert output_of(code, names=names).splitlines() == [
        f"attn.KeyValueCache {WITHHELD}",
        f"attn.KeyValueCache {WITHHELD}",
        f"attn.MultiHeadAttention {WITHHELD}",
    ]


def test_a_function_below_the_package_can_be_withheld() -> None:
    code = "from attn.lsh_buckets import hash_buckets as asked" + ASK
    name = "attn.lsh_buckets.hash_buckets"
    assert output_of(code, names=(name,)) == f"{name} {WITHHELD}\n"
    hashing = """
import attn
x = np.random.default_rng(0).normal(size=(8, 4))
print(attn.lsh_attention(x, x, num_buckets=2, num_hashes=1, chunk_length=4, rng=0).shape)
"""
    assert output_of(hashing, names=(name,)) == "(8, 4)\n"


def test_what_is_not_withheld_is_the_same_and_the_stand_in_holds_nothing_of_the_original() -> None:
    code = """
import attn
real = attn.merge_heads
print(real is kept, attn.softmax.__name__, attn.softmax.__module__ != "attn.normalisation")
held = [cell.cell_contents for cell in attn.softmax.__closure__]
print(held == ["attn.softmax " + attn.softmax.__doc__.removeprefix("attn.softmax ")])
print(hasattr(attn.softmax, "__wrapped__"))
"""
    loaded = "from attn import merge_heads as kept"
    assert output_of(code, loaded) == "True softmax True\nTrue\nFalse\n"


HALVES = {
    "__init__": "from halves.good import half",
    "good": "def half(x):\n    return x / 2",
    "bad": "import no_such_module",
    "later": "import halves\nfrom halves.good import half\n\n\ndef quarter(x):\n"
    "    return half(halves.good.half(x))",
}


@pytest.fixture
def halves(tmp_path: Path) -> str:
    """Return the code that makes a small library of four modules importable."""
    (tmp_path / "halves").mkdir()
    for name, code in HALVES.items():
        (tmp_path / "halves" / f"{name}.py").write_text(code + "\n", encoding="utf-8")
    return f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\n"


def test_a_module_that_is_imported_later_has_the_real_function(halves: str) -> None:
    code = """
import halves.later
print(halves.later.quarter(8), halves.later.halves is halves)
for asked in (halves.half, halves.later.half, halves.good.half):
    ask(asked, 1)
"""
    assert output_of(code, halves + "import halves", ("halves.half",)).splitlines() == [
        "2.0 True",
        *[f"halves.half {WITHHELD}"] * 3,
    ]


def test_a_library_that_fails_to_import_fails_as_it_did(halves: str) -> None:
    code = """
import halves
for _ in range(2):
    try:
        import halves.bad
    except ModuleNotFoundError as error:
        print(error, "halves.bad" in sys.modules)
ask(halves.half, 1)
"""
    assert output_of(code, halves, ("halves.half", "halves.no_such_name")).splitlines() == [
        *["No module named 'no_such_module' False"] * 2,
        f"halves.half {WITHHELD}",
    ]


def test_nothing_to_withhold_changes_nothing() -> None:
    code = "import sys, attn\nprint(attn.softmax([0.0, 0.0]), len(sys.meta_path) == before)"
    loaded = "import sys\nbefore = len(sys.meta_path)"
    assert output_of(code, loaded, names=()) == "[0.5 0.5] True\n"


def test_every_statement_of_a_chapter_names_what_its_exercises_withhold(bank: Bank) -> None:
    chapters = {chapter: bank.chapter(chapter) for chapter in bank.chapters}
    withheld = {chapter: withheld_by(exercises) for chapter, exercises in chapters.items()}
    assert () in withheld.values()
    assert "attn.softmax" in withheld["attention-today"]
    for chapter, exercises in chapters.items():
        for exercise in exercises:
            names = () if exercise.questions else withheld[chapter]
            last = statement(exercise, References()).rpartition("\n\n")[2]
            told = f"{WITHHELD_LINE}{', '.join(f'`{name}`' for name in names)}."
            assert (last == told) is bool(names), exercise.id
