"""The site as a reader's browser sees it, chapter texts and exercises aside."""

from __future__ import annotations

import gzip
import re
from functools import partial
from pathlib import Path
from urllib.parse import urlparse

import pytest
from playwright.sync_api import Browser, Page, Response, Route, expect

from tools.site.project import Project
from tools.site.serve import at_the_root

from .conftest import Watch, box_of, settle
from .exercises import unfold

ROOT = Path(__file__).resolve().parents[2]
PAGES = [path.stem for path in Project(ROOT).chapters()]
NOTEBOOKS = [path.stem for path in Project(ROOT).chapters() if Project(ROOT).is_notebook(path)]


#: What is seen of a figure that nobody can operate, and how far the page runs over its width.
SEEN = """() => ({
    wide: document.documentElement.scrollWidth - innerWidth,
    figures: [...document.querySelectorAll("[data-explorable]")]
        .filter(figure => getComputedStyle(figure).display !== "none").map(figure => {
            const all = [...figure.shadowRoot.querySelectorAll("*")];
            const shown = all.filter(e => e.checkVisibility());
            return {
                kind: figure.dataset.explorable,
                drawn: shown.some(e => e.matches("svg, table, .text")),
                parts: shown.filter(e => e.localName === "section").length,
                live: shown.filter(e => e.matches("button, input, select, [tabindex]"))
                    .filter(e => !e.disabled).length,
            };
        }),
})"""


@pytest.mark.parametrize("name", [*NOTEBOOKS, "welcome"])
def test_page_teaches_without_javascript(still: Page, name: str) -> None:
    page = still
    page.goto(f"{name}.html")
    expect(page.locator("h1").first).to_be_visible()
    for exercise in page.locator(".ck-exercise").all():
        unfold(exercise)
        expect(exercise.locator(".ck-starter pre, .ck-question").first).to_be_visible()
    for figure in page.locator("article img").all():
        assert figure.evaluate("image => image.complete && image.naturalWidth > 0")
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
    seen = page.evaluate(SEEN)
    assert seen["wide"] <= 0
    for each in seen["figures"]:
        assert (each["drawn"], each["parts"], each["live"]) == (True, 1, 0), each
    # A control that cannot work is not shown.
    controls = page.locator(".theme-switch-button, .search-button, .ck-exercise button:enabled")
    for control in controls.all():
        expect(control).to_be_hidden()


def test_formulas_are_in_the_letters_of_the_text(page: Page) -> None:
    page.goto("scaled-dot-product.html")
    sizes = page.locator("article math").evaluate_all(
        """formulas => formulas.filter(f => f.checkVisibility()).flatMap(f =>
            [...f.querySelectorAll(":is(msub, msup) > :nth-child(2)")].map(small =>
                [parseFloat(getComputedStyle(small).fontSize),
                 parseFloat(getComputedStyle(f).fontSize)]))"""
    )
    assert sizes
    assert all(small < 0.9 * letter for small, letter in sizes)
    variable = page.locator("article mi[mathvariant]").first
    style = "e => [getComputedStyle(e).fontStyle, getComputedStyle(e).fontFamily.split(',')[0]]"
    assert variable.evaluate(style) == ["italic", "Newsreader"]


def test_first_tab_stop_skips_to_the_text(page: Page) -> None:
    page.goto("welcome.html")
    page.keyboard.press("Tab")
    focused = page.locator(":focus")
    expect(focused).to_have_text("Skip to main content")
    expect(focused).to_be_in_viewport()
    page.keyboard.press("Enter")
    page.wait_for_url("**/welcome.html#main-content")


def test_every_control_of_the_frame_is_reached_by_tab_and_shows_its_focus(page: Page) -> None:
    page.goto("motivation.html")
    seen = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        focused = page.evaluate(
            """() => { const e = document.activeElement, s = getComputedStyle(e);
                const shown = s.outlineStyle !== "none" || e.closest("article") !== null;
                return [e.className, e.tagName, shown] }"""
        )
        seen.add(focused[0])
        assert focused[1] == "BODY" or focused[2], f"no visible focus on {focused}"
    for control in ("search-button", "theme-switch-button", "menu-button", "brand"):
        assert any(control in classes for classes in seen), f"{control} not reached"


def test_colour_mode_is_switched_by_keyboard_and_remembered(page: Page) -> None:
    page.emulate_media(color_scheme="light")
    page.goto("welcome.html")
    switch = page.get_by_role("button", name="Light or dark")
    switch.focus()
    html = page.locator("html")
    expect(html).to_have_attribute("data-theme", "light")
    for _ in range(3):
        if html.get_attribute("data-theme") == "dark":
            break
        page.keyboard.press("Enter")
    expect(html).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(html).to_have_attribute("data-theme", "dark")


def test_what_scrolls_has_a_shade_at_the_edge_behind_which_there_is_more(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for name in ("fast-exact", "masking", "api"):
        page.goto(f"{name}.html")
        bare = page.locator("article :is(pre, .attn-scroll)").evaluate_all(
            """blocks => blocks.filter(b => b.scrollWidth > b.clientWidth + 1
                && !b.closest(".ck-exercise")
                && getComputedStyle(b).backgroundAttachment.split(",").filter(
                    a => a.trim() === "local").length < 2).map(b => b.textContent.slice(0, 60))"""
        )
        assert bare == [], name


@pytest.mark.parametrize("name", ["fast-exact", "at-work", "interpretation"])
def test_tables_of_results_are_whole_on_a_screen_and_within_reach_on_a_phone(
    page: Page, name: str
) -> None:
    cut = """tables => tables.filter(t => t.parentElement.scrollWidth >
        t.parentElement.clientWidth + 1).map(t => [t.innerText, t.parentElement.tabIndex])"""
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        page.goto(f"{name}.html")
        page.evaluate(
            "document.querySelectorAll('.ck-shut').forEach(e => e.classList.remove('ck-shut'))"
        )
        page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
        tables = page.locator("table.attn-values")
        assert tables.count() >= 5
        scrolling = tables.evaluate_all(cut)
        assert width == 390 or scrolling == []
        assert [text for text, stop in scrolling if stop != 0] == []
        text = page.locator("div.cell_output pre").all_inner_texts()
        assert [printed for printed in text if re.search(r"\{[\d.']+:", printed)] == []


@pytest.mark.parametrize("width", [1280, 390])
def test_menu_says_what_a_notebook_needs_and_where_it_is(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.goto("masking.html")
    page.get_by_role("button", name="Notebook").click()
    for name in ("zip", "wheel"):
        link = page.get_by_role("link", name=f"({name})")
        assert page.request.get(link.evaluate("a => a.href")).body().startswith(b"PK")
    note = page.locator(".notebook-note")
    expect(note).to_be_visible()
    expect(note.locator("pre")).to_have_text(
        "python3 -m venv .venv\nsource .venv/bin/activate\n"
        f'pip install "{Project(ROOT).course.wheel}[notebook,torch]" jupyterlab\n'
        "jupyter lab"
    )
    expect(note).to_contain_text("--extra-index-url https://download.pytorch.org/whl/cpu")
    box = box_of(page.locator("#notebook-menu"))
    assert 0 <= box["x"] <= width - box["width"]


def test_menu_is_opened_and_closed_by_keyboard_and_without_javascript(still: Page) -> None:
    page = still
    page.goto("masking.html")
    link = page.get_by_role("link", name="Download the notebook")
    button = page.get_by_role("button", name="Notebook")
    expect(link).to_be_hidden()
    button.focus()
    page.keyboard.press("Enter")
    expect(link).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(link).to_be_focused()
    page.keyboard.press("Escape")
    expect(link).to_be_hidden()
    expect(button).to_be_focused()


#: What comes when somebody searches, writes code or runs it.
LATER = {"search", "search-index", "editor", "live", "worker", "pyodide", "pyodide.asm"}
#: Sums what has moved by itself in ``window.shift``.
SHIFTS = """window.shift = 0; new PerformanceObserver(list => list.getEntries().forEach(
    entry => { if (!entry.hadRecentInput) window.shift += entry.value }
)).observe({ type: "layout-shift", buffered: true })"""


@pytest.mark.parametrize("name", [*PAGES, "index", "search", "404", "genindex"])
def test_page_is_light_loads_nothing_from_elsewhere_and_stands_still(
    browser: Browser, site: Path, site_url: str, name: str
) -> None:
    # In a course with an address it names the folder that the host serves the site from.
    lost = at_the_root((site / "404.html").read_text(encoding="utf-8"))
    for width in (390, 1280):
        page = browser.new_page(viewport={"width": width, "height": 844})
        seen = Watch(page, site_url)
        page.route("**/404.html", lambda route: route.fulfill(body=lost, content_type="text/html"))
        answers: list[Response] = []
        page.on("response", lambda answer, into=answers: into.append(answer))
        # Fonts that come late, as on a busy machine, move lines: benchmarks/pages.py measures that.
        fonts: set[str] = set()
        page.route("**/*.woff2*", partial(refuse, fonts))
        page.add_init_script(SHIFTS)
        page.goto(f"{site_url}/{name}.html")
        settle(page)
        expect(page.locator("h1").first).to_be_visible()  # the bare index has led to the first page
        scripts = {Path(urlparse(answer.url).path).stem for answer in answers}
        elements = set(re.findall(r"<(attn-[a-z-]+)", page.content()))
        assert {script for script in scripts if script.startswith("attn-")} == elements
        for extra, needs in (("parsons", ".ck-parsons"), ("finale", ".ck-finale")):
            assert (extra in scripts) == bool(page.locator(needs).count()), extra
        assert scripts.isdisjoint(LATER) or name == "search"
        # What figures fetch once they are there, such as a model, is data.
        own = [answer.body() for answer in answers if "/_static/data/" not in answer.url]
        own += [(site / path).read_bytes() for path in fonts]
        kilobytes = sum(len(gzip.compress(body)) for body in own) / 1024
        assert kilobytes <= 140, width
        loaded = [answer for answer in answers if "/favicon" not in answer.url]
        # The gallery has stills of all kinds, each with its sheet.
        sheets = [answer for answer in loaded if answer.url.endswith(".css")]
        assert len(loaded) + len(fonts) <= (20 if name != "figures" else 10 + len(sheets))
        leap_through(page)
        assert page.evaluate("window.shift") <= 0.1, width
        page.close()
        assert seen.faults == []


def refuse(refused: set[str], route: Route) -> None:
    """Let a page do without a font, and note its path."""
    refused.add(urlparse(route.request.url).path.removeprefix("/"))
    route.abort("aborted")


def leap_through(page: Page) -> None:
    """Go down a page by two screens at a time, as by links: what is near loads where one lands."""
    height = page.evaluate("document.documentElement.scrollHeight")
    for top in range(0, height, 1600):
        page.evaluate("top => scrollTo(0, top)", top)
        settle(page)
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
