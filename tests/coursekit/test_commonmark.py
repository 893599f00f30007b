"""MyST as plain Markdown."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from coursekit.errors import MissingExtraError
from coursekit.notebooks.commonmark import to_commonmark
from coursekit.notebooks.myst import parser
from coursekit.notebooks.references import Citation, Place, References, book_references

KNOWN = References(
    places={"scale": Place("Why the root", "dot"), "dot": Place("Dot products", "dot")},
    citations={
        "v17": Citation("Vaswani et al.", "2017", "https://a.b/v"),
        "b15": Citation("Bahdanau et al.", "2015"),
    },
    equations={"att": 2},
)


@pytest.mark.parametrize(
    ("myst", "plain"),
    [
        ("{math}`x^2` and {kbd}`Tab`", "$x^2$ and <kbd>Tab</kbd>"),
        # JupyterLab would show the star after the point.
        ("*ramass**ée**.* What *is* **so *it* is**?",
         "<em>ramass**ée**.</em> What *is* **so *it* is**?"),
        ("{ref}`scale` or {ref}`this <scale>`", "*Why the root* or this"),
        ("{doc}`dot`, {numref}`Figure %s <f>`", "*Dot products*, Figure"),
        ("{ref}`an-unknown-one`", "an unknown one"),
        (":::{container} wide\nText.\n:::", "Text."),
        ("see {eq}`att`", "see (2)"),
        ("{cite:p}`v17,b15`", "([Vaswani et al., 2017](https://a.b/v); Bahdanau et al., 2015)"),
        ("{cite:t}`b15` says", "Bahdanau et al. (2015) says"),
        ("{cite}`nobody`", "(nobody)"),
        ("{py:func}`~attn.softmax`, {py:func}`attn.softmax`", "`softmax`, `attn.softmax`"),
        ("{abbr}`LSH (hashing)`{sub}`2`", "LSH (hashing)<sub>2</sub>"),
        ("{term}`key`, {unknown}`word`", "key, word"),
        ("[text](dot.md#scale), [](#scale)", "text, *Why the root*"),
        ("[a `code` link](https://a.b/c_d)", "[a `code` link](https://a.b/c_d)"),
        ("[two\nlines](dot.md)", "two\nlines"),
        ("[small]{.small} words", "small words"),
        ("code `{ref}`, ``a {ref}`b` c``", "code `{ref}`, ``a {ref}`b` c``"),
        ("$f[x](y)$", "$f[x](y)$"),
        ("```x``` is code, {ref}`scale` not", "```x``` is code, *Why the root* not"),
        ("a[^n] note\n\n[^n]: it", "a<sup>n</sup> note\n\n<sup>n</sup> it"),
        ("`` `x` `` {ref}`scale`", "`` `x` `` *Why the root*"),
        (r"\* \[a\](b) &lt; {ref}`scale`", r"\* \[a\](b) &lt; *Why the root*"),
        (r"\{ref}`scale`", r"\{ref}`scale`"),
        ("{ref}`this\n<scale>` and\n{ref}`scale`", "this and\n*Why the root*"),
        ("- a {ref}`scale`\n  b\n\n> {ref}`scale`", "- a *Why the root*\n  b\n\n> *Why the root*"),
        (
            "- a\n  :::{note}\n  {ref}`scale`\n\n  b\n  :::\n- c",
            "- a\n\n  > **Note.** *Why the root*\n  >\n  > b\n\n- c",
        ),
        ("1. ```{note}\n   a\n   ```", "1. > **Note.** a"),
        ("> ```{note}\n> a\n> ```\n>\n> b", "> > **Note.** a\n>\n> b"),
        ("    {ref}`scale`\n\n\n    x = 1", "    {ref}`scale`\n\n\n    x = 1"),
        ("```python\na\n\n\nb\n```", "```python\na\n\n\nb\n```"),
        ("| a\\|b |\n| - |\n| {ref}`scale` |", "| a\\|b |\n| - |\n| *Why the root* |"),
        ("| 1 | 1 |\n| - | - |\n| {sub}`1` | 1 |", "| 1 | 1 |\n| - | - |\n| <sub>1</sub> | 1 |"),
        ("1. 1\n2. {sub}`2` of 2", "1. 1\n2. <sub>2</sub> of 2"),
        ("## {ref}`scale` ##", "## *Why the root* ##"),
        ('<https://a.b> [a](https://a.b "t") <br>', '<https://a.b> [a](https://a.b "t") <br>'),
        ("[*two*](dot.md) **{ref}`scale`**", "*two* ***Why the root***"),
        ("![a picture](b.png){width=50}", "![a picture](b.png)"),
        ("a\n\n+++\n\nb", "a\n\nb"),
        ("term {sub}`2`\n: meaning\n  more", "**term <sub>2</sub>**:\nmeaning\n  more"),
        ("(scale)=\n# T\n\n% comment\n{.wide}\ntext", "# T\n\ntext"),
        ("$$\nx\n$$ (att)", "$$\nx\n\\tag{2}$$"),
        ("$$ x $$ (other)", "$$ x $$"),
        ("```{math}\n:label: att\nx\n```", "$$\nx\n\\tag{2}$$"),
        ("```python\n{ref}`x`\n(a)=\n```", "```python\n{ref}`x`\n(a)=\n```"),
        ("```{code-block} python\nx = 1\n```", "```python\nx = 1\n```"),
        (":::{note}\nCareful.\n:::", "> **Note.** Careful."),
        ("```{note} Careful.\n```", "> **Note.** Careful."),
        ("```{seealso}\nthat\n```", "> **See also.** that"),
        ("```{admonition} Take this.\n- a\n- b\n```", "> **Take this.**\n>\n> - a\n> - b"),
        ("```{margin}\nAside\n```", "> Aside"),
        (
            ":::{dropdown} Is *it* `x`?\n```python\nyes\n```\n:::",
            "<details><summary>Is <em>it</em> <code>x</code>?</summary>\n\n```python\nyes\n```"
            "\n\n</details>",
        ),
        ("::: {tip}\n:class: toggle\nh\n:::", "<details><summary>Tip</summary>\n\nh\n\n</details>"),
        ("::::{grid}\n:::{card} Title\nbody\n:::\n::::", "**Title**\n\nbody"),
        ("```{figure} a.png\n:alt: words\nCaption.\n```", "![words](a.png)\n\n*Caption.*"),
        ("```{image} a.png\n:alt: words\n```", "![words](a.png)"),
        (
            "```{list-table} Shapes\n\n* - a\n  - b\n* - {sub}`c`\n    d\n  - e\n```",
            "**Shapes**\n\n| a | b |\n| --- | --- |\n| <sub>c</sub> d | e |",
        ),
        ("before\n\n```{bibliography}\n:all:\n```\n\nafter", "before\n\nafter"),
        ("```{raw} latex\n\\x\n```", ""),
        ("```{raw} html\n<b>x</b>\n```", "<b>x</b>"),
        ("```{autofunction} attn.softmax\n```", "`attn.softmax`: see `help(attn.softmax)`."),
        ("```{note}\nnever closed", "> **Note.** never closed"),
    ],
)  # fmt: skip
def test_myst_becomes_words(myst: str, plain: str) -> None:
    assert to_commonmark(myst, KNOWN) == plain


_MARKDOWN = (
    *("a", "b c", "\n", "\n\n", "- ", "1. ", "> ", "    ", "\t", "# ", "`", "``", "*", "**", "_"),
    *(
        "[",
        "]",
        "(x)",
        "![",
        "| a | b |\n| - | - |\n| ",
        "|",
        "\\",
        "&amp;",
        "<br>",
        "<",
        "http://x",
    ),
    *("---\n", "***\n", "\r\n", "é"),
)
_MYST = (
    *("{ref}`a`", "{cite}`b`", "{math}`x`", "$", "$$", "$$\n", "$$ (l)\n", "(t)=\n", "% c\n"),
    *("{.a}\n", "{.a}", "::: {note}\n", ":::\n", "```{note}\n", "```\n", "~~~", "[^1]", "[^1]: "),
    *("\n: ", "+++\n", ":a: b\n"),
)


@given(st.lists(st.sampled_from(_MARKDOWN + _MYST), max_size=14).map("".join))
def test_no_text_is_an_error(text: str) -> None:
    to_commonmark(text)


@given(st.lists(st.sampled_from(_MARKDOWN), max_size=14).map("".join))
def test_commonmark_stays_what_it_is(text: str) -> None:
    render = MarkdownIt("commonmark").enable("table").render
    # In a fence that is never closed, the text's last empty lines would count as code.
    shown = render(text.rstrip("\n") + "\n")
    assert render(to_commonmark(text) + "\n").split() == shown.split()


def test_with_a_site_references_are_links() -> None:
    linked = References(places=KNOWN.places, site="https://a.b/")
    assert to_commonmark("{ref}`scale`", linked) == "[*Why the root*](https://a.b/dot.html#scale)"
    assert to_commonmark("[x](dot.md)", linked) == "[x](https://a.b/dot.html)"
    assert to_commonmark("[x](unknown.md)", linked) == "x"


def test_without_a_site_references_link_to_the_notebooks_beside() -> None:
    beside = References(places=KNOWN.places, beside={"dot": "02-dot.ipynb"})
    assert to_commonmark("{ref}`scale`", beside) == "[*Why the root*](02-dot.ipynb)"
    assert to_commonmark("[x](dot.md#scale)", beside) == "[x](02-dot.ipynb)"
    assert to_commonmark("[x](dot.md)", beside.of_chapter("", "dot")) == "x"
    assert to_commonmark("[x](dot.md)", References(places=KNOWN.places)) == "x"


def test_references_of_a_book(tmp_path: Path, double) -> None:
    (tmp_path / "dot.md").write_text(
        "---\ntitle: x\n---\n\n# Dot products\n\n(scale)=\n\n## Why the root\n", encoding="utf-8"
    )
    (tmp_path / "references.bib").write_text(
        "@book{a,author={One, A. and Two, B.},title={T},year=1999,doi={10.1/2}}\n"
        "@misc{b,author={One, A. and Two, B. and Three, C.},title={T},year=2000,url={http://u}}\n"
        "@misc{c,title={{Only a title}}}\n",
        encoding="utf-8",
    )
    references = book_references(tmp_path, [double])
    assert references.places["dot"] == Place("Dot products", "dot")
    assert references.places["scale"] == Place("Why the root", "dot")
    assert references.places["exercise-double"] == Place("Exercise: Twice as much", "numbers")
    assert references.cite(["a", "b"], textual=True) == (
        "[One and Two (1999)](https://doi.org/10.1/2), [One et al. (2000)](http://u)"
    )
    assert references.cite(["c"], textual=False) == "(Only a title, n.d.)"


def test_equations_are_numbered_in_order() -> None:
    text = "$$a$$ (one)\n\n$$\nb\n$$ (two)\n\n$$c$$\n\n```{math}\n:label: three\nd\n```\n"
    assert References().of_chapter(text).equations == {"one": 1, "two": 2, "three": 3}


def test_pictures_of_the_book_are_embedded(tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_text("<svg/>", encoding="utf-8")
    book = References(folder=tmp_path)
    assert to_commonmark("![x](a.svg)", book) == "![x](data:image/svg+xml;base64,PHN2Zy8+)"
    assert to_commonmark("![x](b.svg)", book) == "![x](b.svg)"
    assert to_commonmark("![x](https://a.b/c.svg)", book) == "![x](https://a.b/c.svg)"


@pytest.mark.parametrize(
    ("module", "library"),
    [("markdown_it", "markdown-it-py"), ("mdit_py_plugins", "mdit-py-plugins")],
)
def test_a_missing_library_is_one_line(
    module: str, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == module]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    parser.cache_clear()
    with pytest.raises(MissingExtraError, match=f"^{library} is not installed; run: pip install"):
        to_commonmark("text")


MODULE = """\
import math


class Scale:
    @property
    def root(self):
        # The width's.
        return math.sqrt(2)


@Scale
def first(x):
    return x
"""


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("first", ["@Scale", "def first(x):", "    return x"]),
        (
            "Scale.root",
            ["@property", "def root(self):", "    # The width's.", "    return math.sqrt(2)"],
        ),
    ],
)
def test_source_that_is_included_is_code(tmp_path: Path, name: str, lines: list[str]) -> None:
    (tmp_path / "book").mkdir()
    (tmp_path / "module.py").write_text(MODULE, encoding="utf-8")
    fence = f"```{{literalinclude}} ../module.py\n:language: python\n:pyobject: {name}\n```"
    plain = to_commonmark(f"Look:\n\n{fence}\n\nNext.", References(folder=tmp_path / "book"))
    assert plain.splitlines() == ["Look:", "", "```python", *lines, "```", "", "Next."]


def test_all_of_a_file_is_included_with_its_caption(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\ntwo\n", encoding="utf-8")
    plain = to_commonmark(
        "```{literalinclude} a.txt\n:caption: A file\n```", References(folder=tmp_path)
    )
    assert plain == "**A file**\n\n```\none\ntwo\n```"


@pytest.mark.parametrize("folder", [None, Path(__file__).parent])
def test_source_that_is_not_there_is_named(folder: Path | None) -> None:
    text = "```{literalinclude} ../module.py\n:pyobject: first\n```"
    assert to_commonmark(text, References(folder=folder)) == "See `first` in `../module.py`."
    here = "```{literalinclude} test_commonmark.py\n:pyobject: nothing\n```"
    plain = to_commonmark(here, References(folder=folder))
    assert plain == "See `nothing` in `test_commonmark.py`."
