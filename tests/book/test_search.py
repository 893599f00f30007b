"""What the site's search finds: the index made of the pages, and the first hit of each query."""

from __future__ import annotations

import json
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tools.site.environment import in_environment, with_node
from tools.site.search.sections import formula_text, sections_of

HERE = Path(__file__).parent
WANTED: dict[str, str] = tomllib.loads((HERE / "search.toml").read_text(encoding="utf-8"))
#: What stands in for words that no page has, and that are too far from all to be found.
NEAREST = {
    "trasnfomer": "transformer",
    "multi-headed attnetion": "multi-headed attention",
    "KV trasnfomer": "KV transformer",
    "positional encodng": "positional encoding",
    "sotfmax": "softmax",
    "lookahead mask": None,
    "lookaheads mask": None,  # "looked" is no slip in it
    "softmax": None,
    "RoPE": None,
    "zxqwvy": None,
    "": None,
}


@pytest.fixture(scope="module")
def answers(site: Path) -> dict[str, dict[str, Any]]:
    """Return what is found for each query, best first, and the nearest query, if it is another."""
    command = [in_environment("node"), str(HERE / "search_hits.ts")]
    done = subprocess.run(
        [*command, str(site / "_static" / "search-index.js")],
        input=json.dumps([*WANTED, *NEAREST]),
        env=with_node(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_there_are_forty_queries() -> None:
    assert len(WANTED) >= 40


@pytest.mark.parametrize(("query", "wanted"), WANTED.items(), ids=list(WANTED))
def test_a_query_leads_to_its_place(
    answers: dict[str, dict[str, Any]], query: str, wanted: str
) -> None:
    places = [place["address"] for place in answers[query]["found"]]
    first = places[0] if places else ""
    assert (first if "#" in wanted else first.split("#")[0]) == wanted, places


@pytest.mark.parametrize("query", ["zxqwvy", "", "trasnfomer"])
def test_what_is_nowhere_is_not_found(answers: dict[str, dict[str, Any]], query: str) -> None:
    assert answers[query]["found"] == []


@pytest.mark.parametrize(("query", "near"), NEAREST.items())
def test_unknown_words_have_near_ones_of_the_pages(
    answers: dict[str, dict[str, Any]], query: str, near: str | None
) -> None:
    assert answers[query].get("nearest") == near


def test_a_library_s_names_come_after_the_chapters(answers: dict[str, dict[str, Any]]) -> None:
    for query in ("softmax", "causal mask", "multi-head attention"):
        kinds = [place["kind"] for place in answers[query]["found"]]
        assert "name" not in kinds[:5], query


def test_every_place_exists(site: Path) -> None:
    script = (site / "_static" / "search-index.js").read_text(encoding="utf-8")
    index = json.loads(script.split("=", 1)[1].strip().removesuffix(";"))
    assert {file for file, _ in index["pages"]} <= {path.name for path in site.glob("*.html")}
    for file, sections in index["pages"]:
        html = (site / file).read_text(encoding="utf-8")
        assert not [anchor for _, anchor, *_ in sections if f'id="{anchor}"' not in html], file


def test_answers_that_wait_are_not_quoted() -> None:
    html = """<article><section id="a"><h1>A</h1><p>Before.</p>
      <section id="exercise-p" class="ck-exercise" data-exercise="predict-p"><h2>Predict</h2>
        <div class="ck-hidden">secret one</div></section>
      <div class="cell tag_hide-output">secret two</div><p>secret three</p>
      <section id="b"><h2>B</h2><p>After.</p><pre>code</pre></section></section></article>"""
    sections = sections_of(html)
    assert [(s.kind, s.anchor, s.title) for s in sections] == [
        ("page", "a", "A"),
        ("exercise", "exercise-p", "Predict"),
        ("section", "b", "B"),
    ]
    assert [s.text for s in sections] == ["Before.", "", "After."]
    assert [s.held_back for s in sections] == ["secret two secret three", "", ""]


def test_what_is_marked_to_wait_is_not_quoted() -> None:
    html = """<article><section id="a"><h1>A</h1><p>Before.</p>
      <div class="after-predict-p docutils container"><p>secret one</p>
        <section id="exercise-q" class="ck-exercise" data-exercise="q"><h2>Later</h2>
          <p>secret two</p></section></div>
      <section id="exercise-p" class="ck-exercise" data-exercise="predict-p"><h2>Predict</h2>
        </section><div class="cell tag_hide-output">secret three</div>
      <div class="after-predict-q docutils container"><p>secret four</p></div>
      </section></article>"""
    sections = {section.anchor: section for section in sections_of(html)}
    assert {anchor: section.text for anchor, section in sections.items()} == {
        "a": "Before.",
        "exercise-q": "",
        "exercise-p": "",
    }
    assert sections["a"].held_back == "secret one secret three secret four"
    assert sections["exercise-q"].held_back == "secret two"


def test_words_that_wait_are_found_and_do_not_show(answers: dict[str, dict[str, Any]]) -> None:
    assert (found := answers["grouped-query attention"]["found"])
    assert "grouped-query attention" not in found[0]["text"].lower()


def test_terms_are_what_is_set_off_and_no_whole_sentence() -> None:
    html = """<article><section id="a"><h1>A</h1><p>A <strong>mask</strong> hides.
      <strong>Forgetting it.</strong> And <strong>all of it is one long clause</strong></p>
      <section id="b"><h2>B</h2><p>A <strong>score</strong></p></section></section></article>"""
    assert [s.terms for s in sections_of(html)] == ["mask", "score"]


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"\(Q K^\top / \sqrt{d_k}\)", "QKᵀ/√(d_k)"),
        (r"\mathbf{x}^{\mathsf T}", "𝐱ᵀ"),
        (r"\alpha_{ij}", "α_ij"),
        (r"Q = X W^Q \qquad K = Y W^K,\quad V", "Q = XW^Q; K = YW^K; V"),
        ("H &= A \\\\\nM(X, Y) &= H W^O", "H = A; M(X, Y) = HW^O"),
        (r"c = h_n \qquad \text{(fixed)}", "c = h_n (fixed)"),
    ],
)
def test_formulas_are_read_as_people_type_them(tex: str, text: str) -> None:
    assert formula_text(tex) == text
