"""What a reader waits for on a page, measured in Chromium: each function makes one measurement.

Wall clock is counted by the page itself. Processor time is that of the browser's processes that
show pages, workers included, so that it means something on a busy machine, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True,
}  # fmt: skip
EXERCISE = "#exercise-context-vector"
ANSWER = """import numpy as np


def context_vector(query, keys, values):
    scores = keys @ query
    weights = np.exp(scores - scores.max())
    return weights / weights.sum() @ values
"""
LONG = 300_000  # ms: a busy machine may take its time, a result that never comes must end

#: Notes what moves, and what is painted largest.
_WATCH = """
    window.seen = { shift: 0, largest: 0 };
    const each = (type, note) => new PerformanceObserver(list => list.getEntries().forEach(note))
        .observe({ type, buffered: true });
    each("layout-shift", e => { if (!e.hadRecentInput) window.seen.shift += e.value });
    each("largest-contentful-paint", e => { window.seen.largest = e.startTime });
"""

#: Clicks another word of the first figure as soon as there is one, and waits for the next frame.
_MOVE = """
    const look = () => {
        const root = document.querySelector("attn-attention-row[live]")?.shadowRoot;
        const word = root?.querySelector("button[aria-pressed=false]");
        if (!word) return void requestAnimationFrame(look);
        const numbers = () => [...root.querySelectorAll(".weight")].map(e => e.textContent).join();
        const before = numbers();
        word.click();
        requestAnimationFrame(() => setTimeout(() => {
            if (numbers() !== before) window.moved = performance.now();
        }));
    };
    requestAnimationFrame(look);
"""

#: Does something to an element, and returns the milliseconds until another one is there.
_UNTIL = """
    async ([pressed, wanted]) => {
        document.querySelectorAll(wanted).forEach(old => old.remove());
        const start = performance.now();
        document.querySelector(pressed).click();
        while (!document.querySelector(wanted)) await new Promise(go => setTimeout(go, 2));
        return performance.now() - start;
    }
"""

#: Notes the last key, and when names are offered after it.
_NAMES = """
    addEventListener("keydown", () => { window.key = performance.now() }, { capture: true });
    const listed = () => document.querySelector(".cm-tooltip-autocomplete li");
    new MutationObserver(() => {
        if (listed()) window.named ??= performance.now();
    }).observe(document, { childList: true, subtree: true });
"""

#: Pyodide and NumPy as they come, without the course: what a page could not do without.
BARE = """
    const { loadPyodide } = await import("FOLDER/pyodide.mjs");
    const python = await loadPyodide({ indexURL: "FOLDER/" });
    await python.loadPackage("FOLDER/NUMPY");
    python.runPython("import numpy");
    postMessage("there");
"""


def busy(browser: Browser) -> float:
    """Return the seconds that the processes which show pages have computed."""
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    return float(sum(p["cpuTime"] for p in processes if p["type"] == "renderer"))


def weight(browser: Browser, url: str) -> dict[str, Any]:
    """Open a page with nothing in the cache; return what came, and how it came to stand."""
    context = browser.new_context(**PHONE)
    page = context.new_page()
    page.add_init_script(_WATCH)
    session = context.new_cdp_session(page)
    kinds, received = _received(session)
    before = busy(browser)
    page.goto(url)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(500)
    seen = page.evaluate("window.seen")
    computed = busy(browser) - before
    size: Counter[str] = Counter()
    for request, count in received.items():
        size[kinds.get(request, "other")] += count
    context.close()
    return {
        "bytes": sum(size.values()),
        "by kind": dict(size.most_common()),
        "requests": len(received),
        "layout shift": round(seen["shift"], 4),
        "largest paint, ms": round(seen["largest"]),
        "processor time, ms": round(1000 * computed),
    }


def _received(session: CDPSession) -> tuple[dict[str, str], dict[str, int]]:
    """Return two tables that fill as a page loads: the kind of each request, and its bytes."""
    kinds: dict[str, str] = {}
    received: dict[str, int] = {}
    session.on("Network.responseReceived", lambda e: kinds.update({e["requestId"]: e["type"]}))
    session.on(
        "Network.loadingFinished",
        lambda e: received.update({e["requestId"]: int(e["encodedDataLength"])}),
    )
    session.send("Network.enable")
    return kinds, received


def first_movement(browser: Browser, url: str, slowed: int) -> dict[str, float]:
    """Return when the first figure has moved, in ms; ``slowed`` divides the processor's speed."""
    context = browser.new_context(**PHONE)
    page = context.new_page()
    page.add_init_script(_MOVE)
    session = context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": slowed})
    page.goto(url)
    moved = page.wait_for_function("window.moved", timeout=LONG).json_value()
    load = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
    context.close()
    return {"after opening": round(moved), "after load": round(moved - load)}


def checks(browser: Browser, url: str, thinking: int) -> dict[str, dict[str, float]]:
    """Return ms and processor ms of *Check*: the first one, the second, and after a reload.

    ``thinking`` are the ms between the editor's focus and the first *Check*; 0 is no focus.
    """
    context = browser.new_context(**PHONE)
    page = context.new_page()
    page.goto(url)
    page.wait_for_load_state("networkidle")
    made = {"first": _check(page, thinking), "second": _check(page, 0)}
    page.reload()
    page.wait_for_load_state("networkidle")
    made["after a reload"] = _check(page, 0)
    context.close()
    return made


def _check(page: Page, thinking: int) -> dict[str, float]:
    if page.locator(f"{EXERCISE} textarea").count():
        fill = "(area, text) => { area.value = text; area.dispatchEvent(new Event('input')) }"
        page.locator(f"{EXERCISE} textarea").evaluate(fill, ANSWER)
        _unfold(page)
    if thinking:
        page.locator(f"{EXERCISE} textarea").focus()
        page.wait_for_timeout(thinking)
    assert page.context.browser is not None
    before = busy(page.context.browser)
    waited = page.evaluate(_UNTIL, [f"{EXERCISE} .ck-main", f"{EXERCISE} .ck-checks"])
    assert "Done" in page.locator(f"{EXERCISE} .ck-headline").inner_text()
    return {
        "ms": round(waited),
        "processor ms": round(1000 * (busy(page.context.browser) - before)),
    }


def _unfold(page: Page) -> None:
    opened = "e => { for (; e; e = e.parentElement) if (e.localName === 'details') e.open = true }"
    page.locator(EXERCISE).evaluate(opened)


def bare_python(browser: Browser, url: str, numpy: str) -> dict[str, float]:
    """Return ms and processor ms until Pyodide has imported NumPy in a worker of an empty page."""
    context = browser.new_context(**PHONE)
    page = context.new_page()
    code = BARE.replace("FOLDER", f"{url}_static/pyodide").replace("NUMPY", numpy)
    page.route("**/bare.js", lambda r: r.fulfill(body=code, content_type="text/javascript"))
    page.route("**/bare.html", lambda r: r.fulfill(body="", content_type="text/html"))
    page.goto(f"{url}bare.html")
    before = busy(browser)
    waited = page.evaluate(
        """() => new Promise((done, fail) => {
            const start = performance.now();
            const worker = new Worker("bare.js", { type: "module" });
            worker.onmessage = () => done(performance.now() - start);
            worker.onerror = event => fail(new Error(event.message));
        })"""
    )
    made = {"ms": round(waited), "processor ms": round(1000 * (busy(browser) - before))}
    context.close()
    return made


def warm(context: BrowserContext, url: str) -> Page:
    """Return the page with Python loaded, and the editor and the steps, too."""
    page = context.new_page()
    page.add_init_script(_NAMES)
    page.goto(url)
    page.wait_for_load_state("networkidle")
    _check(page, 0)
    page.locator(f"{EXERCISE} textarea").focus()
    page.wait_for_selector(f"{EXERCISE} .cm-content")
    step(page)
    return page


def step(page: Page) -> float:
    """Return the ms from *Step* to the steps, of an exercise whose Python is there."""
    button = f"{EXERCISE} .ck-work > .ck-buttons > :nth-child(3)"
    assert page.locator(button).inner_text() == "Step"
    waited: float = page.evaluate(_UNTIL, [button, f"{EXERCISE} .ck-trace"])
    page.wait_for_function(f"document.querySelector('{button}').ariaDisabled === 'false'")
    return round(waited, 1)


def complete(page: Page, ask: Callable[[Page], None]) -> float:
    """Return the ms from the last key to the list of names that fit; ``ask`` presses keys."""
    page.locator(f"{EXERCISE} .cm-content").focus()
    page.keyboard.press("Control+End")
    page.keyboard.press("Enter")
    page.evaluate("delete window.named")
    ask(page)
    waited: float = page.wait_for_function("window.named - window.key", timeout=LONG).json_value()
    for key in ("Escape", "Control+a"):
        page.keyboard.press(key)
    page.keyboard.insert_text(ANSWER)
    return round(waited, 1)


def typed(page: Page) -> None:
    """Type the first letter of a name; the list comes by itself."""
    page.keyboard.type("s")


def asked_for(page: Page) -> None:
    """Ask for the list."""
    page.keyboard.insert_text("np.lin")
    page.keyboard.press("Control+Space")
