"""What goes deeper is folded on the page, and open for the search."""

from __future__ import annotations

from tools.site.search.sections import sections_of

PAGE = """<html><head></head><body><article><section id="title"><h1>Title</h1>
<div class="ck-time">About 20 minutes, and 5 for what goes deeper.</div>
<section id="deeper-rounds"><h2>Deeper: rounds<a class="headerlink" href="#deeper-rounds">#</a></h2>
<details class="ck-deeper"><summary>What goes deeper: about 5 minutes</summary>
<p>Several <strong>rounds</strong> of hashing.</p><div class="math">E = mc</div>
<details class="ck-hint"><summary>Hint 1</summary><p>Count.</p></details>
<section id="inside"><h3>Inside</h3><p>More of it.</p></section></details></section>
<section id="key-takeaways"><h2>Key takeaways</h2><ul><li>One.</li></ul></section>
</section></article></body></html>"""


def test_the_search_finds_it_and_does_not_quote_how_it_is_folded() -> None:
    found = {section.anchor: section for section in sections_of(PAGE)}
    assert found["deeper-rounds"].text.startswith("Several rounds of hashing.")
    assert found["inside"].text == "More of it."
    assert not any("minutes" in section.text for section in found.values())
