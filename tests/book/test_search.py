"""What the site's search finds: the index made of the pages, and the first hits of each query."""

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
#: How many places a reader takes in at a glance.
FIRST = 3
OTHERS = ("trasnfomer", "zxqwvy", "", "multi-head attention")
DEEPER = """<html><head></head><body><article><section id="title"><h1>Title</h1>
<div class="ck-time">About 20 minutes, and 5 for what goes deeper.</div>
<section id="deeper-rounds"><h2>Deeper: rounds<a class="headerlink" href="#deeper-rounds">#</a></h2>
<details class="ck-deeper"><summary>What goes deeper: about 5 minutes</summary>
<p>Several <strong>rounds</strong> of hashing.</p><div class="math">E = mc</div>
<details class="ck-hint"><summary>Hint 1</summary><p>Count.</p></details>
<section id="inside"><h3>Inside</h3><p>More of it.</p></section></details></section>
<section id="key-takeaways"><h2>Key takeaways</h2><ul><li>One.</li></ul></section>
</section></article></body></html>"""


@pytest.fixture(scope="module")
def found(site: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the places that are found for each query, best first."""
    done = subprocess.run(
        [in_environment("node"), HERE / "search_hits.ts", site / "_static" / "search-index.js"],
        input=json.dumps([*WANTED, *OTHERS]),
        env=with_node(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(("query", "wanted"), WANTED.items(), ids=list(WANTED))
def test_a_query_leads_to_its_place(
    found: dict[str, list[dict[str, Any]]], query: str, wanted: str
) -> None:
    places = [place["address"] for place in found[query][:FIRST]]
    assert wanted in [place if "#" in wanted else place.split("#")[0] for place in places], places


def test_what_a_word_means_comes_before_what_is_made_of_it(
    found: dict[str, list[dict[str, Any]]],
) -> None:
    assert found["softmax"][0]["page"] == "Scaled dot-product attention"


def test_slips_are_forgiven_and_what_is_nowhere_is_not_found(
    found: dict[str, list[dict[str, Any]]],
) -> None:
    assert "transformer.html" in [place["address"] for place in found["trasnfomer"]]
    assert found["zxqwvy"] == found[""] == []


def test_a_library_s_names_come_after_the_chapters(found: dict[str, list[dict[str, Any]]]) -> None:
    for query in ("softmax", "causal mask", "multi-head attention"):
        assert "name" not in [place["kind"] for place in found[query][:5]], query


def test_every_place_exists(site: Path) -> None:
    script = (site / "_static" / "search-index.js").read_text(encoding="utf-8")
    index = json.loads(script.split("=", 1)[1].strip().removesuffix(";"))
    assert {file for file, _ in index["pages"]} <= {path.name for path in site.glob("*.html")}
    for file, sections in index["pages"]:
        html = (site / file).read_text(encoding="utf-8")
        assert not [anchor for _, anchor, *_ in sections if f'id="{anchor}"' not in html], file


def test_answers_that_wait_and_what_is_marked_to_wait_are_not_quoted() -> None:
    html = """<article><section id="a"><h1>A</h1><p>Before.</p>
      <div class="after-predict-p docutils container"><p>secret one</p>
        <section id="exercise-q" class="ck-exercise" data-exercise="q"><h2>Later</h2>
          <p>secret two</p></section></div>
      <section id="exercise-p" class="ck-exercise" data-exercise="predict-p"><h2>Predict</h2>
        <div class="ck-hidden">never found</div></section>
      <div class="cell tag_hide-output">secret three</div><p>secret four</p>
      <div class="after-predict-q docutils container"><p>secret five</p></div>
      <section id="b"><h2>B</h2><p>After.</p><pre>code</pre></section></section></article>"""
    found = [(s.kind, s.anchor, s.title, s.text, s.held_back) for s in sections_of(html)]
    assert found == [
        ("page", "a", "A", "Before.", "secret one secret three secret four secret five"),
        ("exercise", "exercise-q", "Later", "", "secret two"),
        ("exercise", "exercise-p", "Predict", "", ""),
        ("section", "b", "B", "After.", ""),
    ]


def test_what_goes_deeper_is_found_and_how_it_is_folded_is_not_quoted() -> None:
    found = {section.anchor: section for section in sections_of(DEEPER)}
    assert found["deeper-rounds"].text.startswith("Several rounds of hashing.")
    assert found["inside"].text == "More of it."
    assert not any("minutes" in section.text for section in found.values())


def test_words_that_wait_are_found_and_do_not_show(
    found: dict[str, list[dict[str, Any]]],
) -> None:
    (first, *_) = found["grouped-query attention"]
    assert "grouped-query attention" not in first["text"].lower()


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"\(Q K^\top / \sqrt{d_k}\)", "QKᵀ/√(d_k)"),
        (r"\mathbf{x}^{\mathsf T}", "𝐱ᵀ"),
        (r"\alpha_{ij}", "α_ij"),
        (r"Q = X W^Q \qquad K = Y W^K,\quad V", "Q = XW^Q; K = YW^K; V"),
        ("H &= A \\\\\nM(X, Y) &= H W^O", "H = A; M(X, Y) = HW^O"),
    ],
)
def test_formulas_are_read_as_people_type_them(tex: str, text: str) -> None:
    assert formula_text(tex) == text
