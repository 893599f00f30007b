"""MyST as plain Markdown."""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from coursekit.errors import CoursekitError, MissingExtraError
from coursekit.notebook.commonmark import to_commonmark
from coursekit.notebook.myst import parser
from coursekit.notebook.references import Citation, Place, References, book_references

KNOWN = References(
    places={"scale": Place("Why the root", "dot"), "dot": Place("Dot products", "dot")},
    citations={
        "v17": Citation("Vaswani et al.", "2017", "https://a.b/v"),
        "b15": Citation("Bahdanau et al.", "2015"),
    },
)


@pytest.mark.parametrize(
    ("myst", "plain"),
    [
        # JupyterLab would show the star after the point.
        ("*ramass**ée**.* What *is* **so *it* is**?",
         "<em>ramass**ée**.</em> What *is* **so *it* is**?"),
        (":::{container} wide\nText.\n:::", "Text."),
        ("{cite}`v17,b15`", "([Vaswani et al., 2017](https://a.b/v); Bahdanau et al., 2015)"),
        ("{cite:t}`b15` says", "Bahdanau et al. (2015) says"),
        ("{cite}`nobody`", "(nobody)"),
        ("{py:func}`~attn.softmax`, {py:func}`attn.softmax`", "`softmax`, `attn.softmax`"),
        ("{term}`keys <key>`, {term}`key`", "keys, key"),
        ("[text](dot.md#scale), [](#scale)", "text, *Why the root*"),
        ("[a `code` link](https://a.b/c_d)", "[a `code` link](https://a.b/c_d)"),
        ("[two\nlines](dot.md)", "two\nlines"),
        ("code `{cite}`, ``a {cite}`b` c``", "code `{cite}`, ``a {cite}`b` c``"),
        ("$f[x](y)$", "$f[x](y)$"),
        ("```x``` is code, [](#scale) not", "```x``` is code, *Why the root* not"),
        ("`` `x` `` [](#scale)", "`` `x` `` *Why the root*"),
        (r"\* \[a\](b) &lt; [](#scale)", r"\* \[a\](b) &lt; *Why the root*"),
        (r"\{cite}`scale`", r"\{cite}`scale`"),
        ("{term}`this\n<scale>` and\n[](#scale)", "this and\n*Why the root*"),
        ("- a [](#scale)\n  b\n\n> [](#scale)", "- a *Why the root*\n  b\n\n> *Why the root*"),
        (
            "- a\n  :::{container} x\n  [](#scale)\n\n  b\n  :::\n- c",
            "- a\n\n  *Why the root*\n\n  b\n\n- c",
        ),
        ("1. ```{container}\n   a\n   ```", "1. a"),
        ("> ```{container}\n> a\n> ```\n>\n> b", "> a\n>\n> b"),
        ("    {cite}`b`\n\n\n    x = 1", "    {cite}`b`\n\n\n    x = 1"),
        ("```python\na\n\n\nb\n```", "```python\na\n\n\nb\n```"),
        ("| a\\|b |\n| - |\n| [](#scale) |", "| a\\|b |\n| - |\n| *Why the root* |"),
        ("| 1 | 1 |\n| - | - |\n| {term}`1` | 1 |", "| 1 | 1 |\n| - | - |\n| 1 | 1 |"),
        ("1. 1\n2. {term}`2` of 2", "1. 1\n2. 2 of 2"),
        ("## [](#scale) ##", "## *Why the root* ##"),
        ('<https://a.b> [a](https://a.b "t") <br>', '<https://a.b> [a](https://a.b "t") <br>'),
        ("[*two*](dot.md) **[](#scale)**", "*two* ***Why the root***"),
        ("a\n\n+++\n\nb", "a\n\nb"),
        ("(scale)=\n# T\n\n% comment\n\ntext", "# T\n\ntext"),
        ("```python\n{cite}`x`\n(a)=\n```", "```python\n{cite}`x`\n(a)=\n```"),
        (
            ":::{dropdown} Is *it* `x`?\n```python\nyes\n```\n:::",
            "<details><summary>Is <em>it</em> <code>x</code>?</summary>\n\n```python\nyes\n```"
            "\n\n</details>",
        ),
    ],
)  # fmt: skip
def test_myst_becomes_words(myst: str, plain: str) -> None:
    assert to_commonmark(myst, KNOWN) == plain


@pytest.mark.parametrize(
    ("myst", "what"),
    [
        ("a {ref}`scale`", "the role ref: 'scale'"),
        ("{.wide}\ntext", "attrs_block: '{.wide}'"),
        ("a[^n]\n\n[^n]: it", "footnote_ref"),
        ("[small]{.small} words", "span"),
        ("![a picture](b.png)", "image: 'a picture'"),
        ("term\n: meaning", "dl: 'term'"),
        ("$$\nx\n$$ (att)", "math_block_label: 'x'"),
        (":::{note}\nCareful.\n:::", "the directive note: 'Careful.'"),
        ("- a\n\n  ```{math}\n  x\n  ```", "the directive math: 'x'"),
        (":::\nText.\n:::", "colon_fence: 'Text.'"),
    ],
)
def test_what_a_notebook_cannot_show_is_an_error(myst: str, what: str) -> None:
    with pytest.raises(CoursekitError, match=re.escape(f"a notebook cannot show {what}")):
        to_commonmark(myst, KNOWN)


_MARKDOWN = (
    *("a", "b c", "\n", "\n\n", "- ", "1. ", "> ", "    ", "\t", "# ", "`", "``", "*", "**", "_"),
    *("[", "]", "(http://x)", "![", "| a | b |\n| - | - |\n| ", "|"),
    *("\\", "&amp;", "<br>", "<", "http://x"),
    *("---\n", "***\n", "\r\n", "é"),
)
_MYST = (
    *("{ref}`a`", "{cite}`b`", "$", "$$", "$$\n", "$$ (l)\n", "(t)=\n", "% c\n"),
    *("{.a}\n", "{.a}", "::: {note}\n", ":::\n", "```{note}\n", "```\n", "~~~", "[^1]", "[^1]: "),
    *("\n: ", "+++\n", ":a: b\n"),
)


@given(st.lists(st.sampled_from(_MARKDOWN + _MYST), max_size=14).map("".join))
def test_any_text_is_shown_or_refused(text: str) -> None:
    with suppress(CoursekitError):
        to_commonmark(text)


@given(st.lists(st.sampled_from(_MARKDOWN), max_size=14).map("".join))
def test_commonmark_stays_what_it_is(text: str) -> None:
    render = MarkdownIt("commonmark").enable("table").render
    assume("<img" not in render(text) or "http" in render(text))
    assert render(to_commonmark(text) + "\n").split() == render(text + "\n").split()


def test_with_a_site_references_are_links() -> None:
    linked = References(places=KNOWN.places, site="https://a.b/")
    assert to_commonmark("[](#scale)", linked) == "[*Why the root*](https://a.b/dot.html#scale)"
    assert to_commonmark("[x](dot.md)", linked) == "[x](https://a.b/dot.html)"
    assert to_commonmark("[x](unknown.md)", linked) == "x"


def test_without_a_site_references_link_to_the_notebooks_beside() -> None:
    beside = References(places=KNOWN.places, beside=("dot",))
    assert to_commonmark("[](#scale)", beside) == "[*Why the root*](dot.ipynb)"
    assert to_commonmark("[x](dot.md#scale)", beside) == "[x](dot.ipynb)"
    assert to_commonmark("[x](dot.md)", beside.of_chapter("dot")) == "x"
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


@pytest.mark.parametrize(
    ("module", "library"),
    [("markdown_it", "markdown-it-py"), ("mdit_py_plugins", "mdit-py-plugins")],
)
def test_a_missing_library_is_one_line(module: str, library: str, monkeypatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == module]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    parser.cache_clear()
    with pytest.raises(MissingExtraError, match=f"^{library} is not installed; run: pip install"):
        to_commonmark("text")


MODULE = """\
class Scale:
    @property
    def root(self):
        # The width's.
        return math.sqrt(2)
"""


def test_source_that_is_included_is_code(tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text(MODULE, encoding="utf-8")
    beside = References(folder=tmp_path)
    fence = "```{literalinclude} module.py\n:language: python\n:pyobject: Scale.root\n```"
    code = "@property\ndef root(self):\n    # The width's.\n    return math.sqrt(2)"
    assert to_commonmark(f"Look:\n\n{fence}\n\nNext.", beside) == (
        f"Look:\n\n```python\n{code}\n```\n\nNext."
    )
    assert to_commonmark("```{literalinclude} module.py\n```", beside) == f"```\n{MODULE}```"


@pytest.mark.parametrize("file", ["../module.py", "test_commonmark.py"])
def test_source_that_is_not_there_is_an_error(file: str) -> None:
    text = f"```{{literalinclude}} {file}\n:pyobject: nothing\n```"
    with pytest.raises(CoursekitError, match=rf"literalinclude: .*{file}"):
        to_commonmark(text, References(folder=Path(__file__).parent))
