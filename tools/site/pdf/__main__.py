"""Build the site with its PDFs: ``python -m tools.site.pdf``, which is what `make pdf` runs."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from tools.site.build import build
from tools.site.environment import BuildError, say
from tools.site.offline import package
from tools.site.project import Project


def main() -> int:
    """Build the site, print what changed, and have the pages offer it."""
    parser = argparse.ArgumentParser(description="Print the course as PDFs.")
    parser.add_argument("--root", type=Path, default=Path.cwd(), help="folder of the course")
    project = Project(parser.parse_args().root.resolve())
    started = time.monotonic()
    try:
        made = _make(project)
    except BuildError as error:
        print(f"✗ {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("✗ stopped; run it again to go on", file=sys.stderr)
        return 130
    say(f"✓ {made} PDFs printed ({time.monotonic() - started:.0f} s)")
    say(f"  they are in {os.path.relpath(project.html)}, in the folder pdf and beside it")
    return 0


def _make(project: Project) -> int:
    from tools.site.pdf.make import make_pdfs
    from tools.site.pdf.printer import printer
    from tools.site.publish import publish, staged_pages

    build(project)
    with printer() as press:
        made = make_pdfs(project, staged_pages(project), press)
    publish(project)  # now that they are there, the pages offer them
    package(project)
    return made


if __name__ == "__main__":
    sys.exit(main())
