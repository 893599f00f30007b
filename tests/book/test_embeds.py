"""Figures on pages of their own, and all of them in a gallery."""

from __future__ import annotations

from pathlib import Path

from bs4 import BeautifulSoup

from tools.site.publish.embeds import FOLDER, address, fill_gallery, write_embeds

FIGURE = '<my-dial state=\'{"angle": 2, "answers": ["angle"]}\'><p>Alive elsewhere.</p></my-dial>'
STILL = (
    '<template shadowrootmode="open"><section aria-label="A dial"><div>2</div></section></template>'
)


def page(name: str, figures: int) -> str:
    """Return a finished page with figures and their stills."""
    by_an_answer = f'<div class="cell tag_runs-a-walk">{FIGURE}</div>'
    made = BeautifulSoup(FIGURE * figures + by_an_answer, "html.parser")
    address(made.find_all("my-dial"), "my-", name)
    body = str(made).replace("<p>", f"{STILL}<p>")
    return f'<title>Dials</title><div class="figure-gallery"><p>Later.</p></div>{body}'


def test_a_page_s_figures_have_pages_that_ask_for_nothing_and_go_with_them(tmp_path: Path) -> None:
    write = [("walks.html", 2), ("walks-on.html", 1)]
    for name, figures in write:
        text = f"<head>{page(name, figures)}"
        write_embeds(tmp_path, name, text, ["_static/site.css?v=1", "_static/other.js"])
    embeds = {path.name: path.read_text("utf-8") for path in (tmp_path / FOLDER).iterdir()}
    assert sorted(embeds) == ["walks-on.dial.html", "walks.dial-2.html", "walks.dial.html"]
    alone = BeautifulSoup(embeds["walks.dial-2.html"], "html.parser")
    assert alone.select_one("link[rel=stylesheet]")["href"] == "_static/site.css?v=1"
    assert alone.select_one("script[src]") is None
    assert alone.select_one("a")["href"] == "walks.html#figure=dial-2"
    figure = alone.select_one("my-dial")
    assert figure["state"] == '{"angle":2,"answers":[]}'
    assert "data-embed" not in figure.attrs
    assert figure.select_one("template section")
    write_embeds(tmp_path, "walks.html", page("walks.html", 0), [])
    assert [path.name for path in (tmp_path / FOLDER).iterdir()] == ["walks-on.dial.html"]


def test_a_gallery_has_each_kind_once_however_often_it_is_filled(tmp_path: Path) -> None:
    (tmp_path / "walks.html").write_text(page("walks.html", 2), encoding="utf-8")
    for _ in range(2):
        fill_gallery(tmp_path, ["walks.html"])
        made = BeautifulSoup((tmp_path / "walks.html").read_text("utf-8"), "html.parser")
        (card,) = made.select(".figure-gallery > ul > li")
        assert card.select_one("div[inert] > template section")
        assert (card.a["href"], card.a.string) == ("walks.html#figure=dial", "A dial")
        assert "Later." not in made.get_text()
        assert len(made.select("my-dial")) == 3
