"""Nothing that a learner wrote is active in nbgrader's pages, in ours, or in tables."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup, Comment
from bs4.element import NavigableString

from coursekit.assignment.course import nbgrader
from coursekit.cli import main
from coursekit.escaping import code_block, escape_formula, escape_markup
from coursekit.grade.gradebook import open_gradebook

from .conftest import BANK, CHAPTER, grade_words, hand_in
from .test_gradebook import _formgraders_page, database
from .unconfined import in_this_process

#: Part of each attack; it may appear as text inside a ``<pre>``, and nowhere else.
MARK = "evil7"
HOSTILE = [
    "<script>alert('evil7')</script>",
    "<img src=x onerror=alert('evil7')>",
    '"><svg/onload="alert(evil7)">',
    "</pre></code><img src=evil7 onerror=alert(1)>",
    "<a href='javascript:alert(`evil7`)'>evil7</a>",
    "<!-- evil7 -->",
    "<style>@import 'http://evil7.example';</style>",
    "&lt;img src=evil7 onerror=alert(1)&gt;",
    "[evil7](javascript:alert(1))",
    "[evil7](data:text/html;base64,PHNjcmlwdD4=)",
    "[a][e]\n\n[e]: javascript:alert(/evil7/)",
    "![evil7](http://evil7.example/pixel.png)",
    "![p][e]\n\n[e]: http://evil7.example/pixel.png",
    "<javascript:alert(/evil7/)>",
    "http://evil7.example/autolink",
    "evil7@evil7.example",
    "**evil7** and _evil7_ and ~~evil7~~",
    "# evil7\n\n- evil7\n\n> evil7\n\n| evil7 |\n|---|\n| evil7 |",
    "```\n```\n<b>evil7</b>",
    "``````text\n``````\n[evil7](javascript:alert(1))",
    "~~~\n<b onclick=evil7>x</b>\n~~~\n<b>evil7</b>",
    "$\\href{javascript:alert('evil7')}{x}$",
    "\\(\\href{javascript:alert('evil7')}{x}\\)",
    "$`<b>evil7</b>`$ ``<i>evil7</i>``",
    "evil7 \x1b[31m red \x1b]8;;http://evil7.example\x07link\x1b]8;;\x07",
    "\\<b>evil7\\</b> \\[evil7\\](x)",
    "    <b>evil7</b>\n\t<i>evil7</i>",
    "{{ evil7 }} {% evil7 %} <%= evil7 %>",
    "attachment:evil7.png ![e](attachment:evil7.png)",
    "evil7 " * 300 + "<b>evil7</b>",
]  # fmt: skip
HARMLESS = "A plain answer."
#: What each student tried: four texts in as many places, all of them as prose. First, none of it.
TRIED = [[HARMLESS] * 4, *(HOSTILE[n : n + 4] for n in range(0, len(HOSTILE), 4))]


def notebook(handout: dict[str, Any], texts: list[str]) -> str:
    """Return a submission with texts wherever a learner can put one."""
    first, second, third, fourth = [*texts, *[HARMLESS] * 4][:4]
    sources = {
        "double": f"# {first!r}\ndef double(x):\n    raise ValueError({first!r})",
        "counter": f"raise RuntimeError({second!r})",
        "questions": f"even = {third!r}\nhalf = {fourth!r}",
    }
    changed = json.loads(json.dumps(handout))
    for cell in changed["cells"]:
        about = cell["metadata"].get("coursekit", {})
        if about.get("role") == "answer":
            cell["source"] = sources[about["exercise"]]
        elif about.get("role") == "text":
            cell["source"] = "\n\n".join(texts)
        cell["metadata"]["tags"] = texts
    kernel = {"name": first, "display_name": second, "language": third}
    language = {"name": second, "pygments_lexer": third, "mimetype": fourth}
    changed["metadata"] |= {"language_info": language, "kernelspec": kernel, "title": fourth}
    return json.dumps(changed)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a graded nbgrader course in which each student tried some of these."""
    course = tmp_path_factory.mktemp("course")
    assert main(["release", CHAPTER, "--nbgrader", str(course), "--exercises", str(BANK)]) == 0
    handout = json.loads((course / "release" / CHAPTER / f"{CHAPTER}.ipynb").read_text())
    for number, texts in enumerate(TRIED):
        hand_in(course / "submitted", f"s{number:02}", notebook(handout, texts).encode())
    words = grade_words(course / "submitted", course / "r.jsonl", "--gradebook", database(course))
    with in_this_process():
        assert main(words) == 0
    nbgrader(course, "generate_feedback", CHAPTER)
    feedback = ["feedback", str(course / "r.jsonl"), "-o", str(course / "ours")]
    assert main([*feedback, "--exercises", str(BANK)]) == 0
    return course


def page(course: Path, kind: str, number: int) -> str:
    """Return the HTML of one student's page."""
    if kind == "formgrader":
        return _formgraders_page(course / "autograded" / f"s{number:02}" / CHAPTER)
    if kind == "ours":
        return (course / "ours" / f"s{number:02}.html").read_text(encoding="utf-8")
    return (course / "feedback" / f"s{number:02}" / CHAPTER / f"{CHAPTER}.html").read_text()


def elements(html: str) -> Counter[str]:
    """Return how often each element occurs in a page, without pygments' spans."""
    return Counter(tag.name for tag in BeautifulSoup(html, "html.parser").find_all(True)
                   if tag.name != "span")  # fmt: skip


def traces(html: str, inside: str) -> list[str]:
    """Return the places of the mark outside of text in such elements."""
    soup = BeautifulSoup(html, "html.parser")
    traces_in = [
        f"{tag.name} {tag.attrs}"
        for tag in soup.find_all(True)
        if MARK in tag.name or MARK in str(tag.attrs)
    ]
    for text in soup.find_all(string=lambda text: MARK in text):
        assert isinstance(text, NavigableString)
        names = [parent.name for parent in text.parents]
        if isinstance(text, Comment) or inside not in names or {"script", "style"} & {*names}:
            traces_in.append(f"{names[0]}: {text[:80]}")
    return traces_in


@pytest.mark.parametrize("kind", ["feedback", "formgrader", "ours"])
def test_a_learner_adds_no_element_and_no_attribute(course: Path, kind: str) -> None:
    usual = elements(page(course, kind, 0))
    wrong = {}
    for number, texts in enumerate(TRIED[1:], 1):
        html = page(course, kind, number)
        assert MARK in html  # what a learner wrote is shown, as text
        traces_in = traces(html, "main" if kind == "ours" else "pre")
        # Inline code is made of backticks on our own pages, and is nothing but <code>.
        surplus = elements(html) - usual - Counter(code=99 if kind == "ours" else 0)
        if traces_in or surplus:
            wrong[tuple(texts)] = (traces_in, surplus)
    assert wrong == {}


def test_what_was_typed_can_be_read(course: Path) -> None:
    for number, texts in enumerate(TRIED[1:], 1):
        soup = BeautifulSoup(page(course, "feedback", number), "html.parser")
        shown = "".join("".join(pre.get_text() for pre in soup.find_all("pre")).split())
        for text in texts:
            assert "".join(text.replace("\t", "    ").split()) in shown


def test_our_own_pages_may_load_and_run_nothing(course: Path) -> None:
    soup = BeautifulSoup(page(course, "ours", 1), "html.parser")
    loading = ["script", "img", "iframe", "object", "embed", "link", "base", "form", "a"]
    assert soup.find_all(loading) == []
    names = {name for tag in soup.find_all(True) for name in tag.attrs}
    assert [name for name in names if name.startswith("on") or name == "style"] == []
    (policy,) = soup.find_all("meta", attrs={"http-equiv": "Content-Security-Policy"})
    allowed = dict(rule.strip().split(" ", 1) for rule in policy["content"].split(";"))
    assert allowed["default-src"] == allowed["base-uri"] == allowed["form-action"] == "'none'"
    assert allowed["style-src"].startswith("'sha256-")
    assert "unsafe" not in policy["content"]


def test_names_for_nbgrader_are_no_markup_and_stay_apart() -> None:
    names = ["<img src=x onerror=alert(1)>", 'x"onmouseover="alert(1)', "<b>", "%3cb>", "%3cb%3e"]
    names += ["%253cb%253e", "b", "o'brien", "ada@a.b", "Łukasz"]
    assert not {*'<>"'} & {*"".join(map(escape_markup, names))}
    assert len({escape_markup(name) for name in names}) == len(names)
    assert [escape_markup(name) for name in names[-4:]] == names[-4:]


@pytest.mark.usefixtures("unconfined")
def test_a_hostile_name_is_not_markup_in_the_gradebook(tmp_path: Path, course: Path) -> None:
    escaped = escape_markup("<img src=x onerror=alert(1)>")
    work = course / "submitted/s00" / CHAPTER / f"{CHAPTER}.ipynb"
    folder, url = tmp_path / "course/submitted", f"sqlite:///{tmp_path}/g.db"
    hand_in(folder, "<img src=x onerror=alert(1)>", work.read_bytes())
    (tmp_path / "course/nbgrader_config.py").touch()
    assert main(grade_words(folder, tmp_path / "r.jsonl", "--gradebook", url)) == 0
    assert os.listdir(tmp_path / "course/autograded") == [escaped]
    with open_gradebook(url) as gradebook:
        assert [found.id for found in gradebook.students] == [escaped]


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", "\tx", "\rx", "\nx", "＝1", "＠x"])
def test_no_cell_is_a_formula(text: str) -> None:
    assert escape_formula(text) == f"'{text}"
    assert escape_formula("ada") == "ada"


def test_a_long_line_is_broken_and_a_short_one_is_not() -> None:
    long, short = "word " * 60, "    code = `x`"
    lines = code_block(f"{short}\n{long}").splitlines()
    assert lines[1] == short
    assert max(map(len, lines)) <= 100
    assert "".join(lines[2:-1]) == long
