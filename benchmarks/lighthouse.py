"""What Lighthouse says of pages on a phone: `python benchmarks/lighthouse.py`.

The server packs text with gzip, and Lighthouse reckons with its own phone (a slow processor, slow
4G). It blames a page for what other programs compute meanwhile, so the load stands beside each
run, and the run with the median score is kept.

Lighthouse is fetched by npx for this bench alone: it brings 185 MB that neither the book nor its
tests need. ``--program`` names one that is installed. The site must be built.
Results go into ``benchmarks/results/lighthouse.json``, page by page; those of others stay there.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import grading_class as the_class
from page_server import serving

from tools.site.browser import FLAGS, NONE, find_browser
from tools.site.environment import in_environment, with_node

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "_build" / "html"
RESULTS = ROOT / "benchmarks" / "results" / "lighthouse.json"
VERSION = "12.8.2"
GOAL = 95
PAGES = (
    "welcome", "queries-keys-values", "scaled-dot-product", "multi-head", "interpretation",
    "circuits", "evidence", "build-a-gpt",
)  # fmt: skip
#: What to keep of a run, by the names of its audits.
AUDITS = {
    "first-contentful-paint": "first paint, ms",
    "largest-contentful-paint": "largest paint, ms",
    "total-blocking-time": "blocked, ms",
    "cumulative-layout-shift": "layout shift",
    "speed-index": "speed index, ms",
}


def main() -> None:
    """Run Lighthouse on each page, print and store the median run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=3, help="runs of each page (3)")
    parser.add_argument("--pages", nargs="*", default=PAGES, help="these pages (eight)")
    parser.add_argument("--program", type=Path, default=None, help="an installed lighthouse")
    parser.add_argument("--output", type=Path, default=RESULTS, help="the file of results")
    options = parser.parse_args()
    chromium = find_browser()
    if not (SITE / "index.html").is_file():
        parser.error("the site is not built; run `make book` first")
    if chromium is None:
        parser.error(NONE)
    npx = [in_environment("npx"), "--yes", f"lighthouse@{VERSION}"]
    command = npx if options.program is None else [str(options.program)]
    about = the_class.environment() | {"lighthouse": VERSION}
    known = json.loads(options.output.read_text()) if options.output.is_file() else {}
    pages = known.get("pages", {})
    with serving(SITE) as url:
        for name in options.pages:
            runs = [_run(command, chromium, f"{url}{name}.html") for _ in range(options.runs)]
            runs.sort(key=lambda run: float(run["performance"]))
            pages[name] = median = runs[len(runs) // 2]
            median["performance of all runs"] = [run["performance"] for run in runs]
            _tell(name, median)
            stored = {"environment": about, "goal": GOAL, "pages": pages}
            options.output.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
    print(options.output)


def _run(command: list[str], chromium: str, url: str) -> dict[str, Any]:
    load = os.getloadavg()[0]
    asked = ["--quiet", "--output=json", "--only-categories=performance,accessibility"]
    done = subprocess.run(
        [*command, url, *asked, f"--chrome-flags={' '.join(['--headless=new', *FLAGS])}"],
        env=with_node() | {"CHROME_PATH": chromium},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["it said nothing"]
        sys.exit(f"✗ lighthouse failed on {url}: {last[0]}")
    report = json.loads(done.stdout)
    scores = {name: round(100 * c["score"]) for name, c in report["categories"].items()}
    audits = {
        name: round(report["audits"][audit]["numericValue"], 3) for audit, name in AUDITS.items()
    }
    machine = round(report["environment"]["benchmarkIndex"])
    return scores | audits | {"load before": round(load, 1), "speed of the machine": machine}


def _tell(name: str, run: dict[str, Any]) -> None:
    verdict = "reached" if run["performance"] >= GOAL else "MISSED"
    print(
        f"  {name:22} performance {run['performance']:3} (goal {GOAL}: {verdict}),"
        f" accessibility {run['accessibility']}, largest paint {run['largest paint, ms']:.0f} ms,"
        f" blocked {run['blocked, ms']:.0f} ms, load {run['load before']}",
        flush=True,
    )


if __name__ == "__main__":
    main()
