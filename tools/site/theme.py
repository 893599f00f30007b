"""Sphinx extension: the page around each text, in the place of the theme's, and what it offers.

A bar with the course's mark, the contents of the part that the page belongs to with the page's own
sections, the text, what comes before and next: the templates are in the folder ``frame``. A course
has its mark, a small SVG, in the file ``mark.svg`` among its templates (``templates_path``); one
that has none shows its title alone.

Each chapter has a menu, to download its notebook or open it elsewhere. Colab and Binder open
notebooks, not MyST: they open the notebook that the build makes of a chapter and that is published
with the site. The menu has them only if ``repository: url:`` in ``_config.yml`` says where the site
is. Each page has a foot, and an address at which there is nothing has a page that leads on.
"""

from __future__ import annotations

import html
import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlparse

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment

from coursekit.notebook.install import owner_and_name, wheel_names
from coursekit.page.progress import chapters
from tools.site.project import COURSEKIT, TOOLS, Project, fingerprint, sources

#: The folder of the notebooks in the site.
NOTEBOOKS = "notebooks/"
#: What a page says where the name of the course's wheel is to stand.
WHEEL = "{{ wheel }}"
COLAB = "https://colab.research.google.com/github/{name}/blob/gh-pages/{path}"
BINDER = "https://mybinder.org/v2/gh/{name}/gh-pages?urlpath={path}"
ON_WINDOWS = "On Windows, the first two lines are py -m venv .venv and .venv\\Scripts\\activate."
#: What pip takes from PyPI on Linux brings the libraries of graphics cards.
SMALL_TORCH = """\
On Linux, --extra-index-url https://download.pytorch.org/whl/cpu at the end of the third line
saves gigabytes: PyTorch then comes without the libraries for graphics cards."""
_COMMONS = re.compile(r"//creativecommons\.org/licenses/([a-z-]+)/([\d.]+)")


def archive_name(project: Project) -> str:
    """Return the name of the zip with all notebooks and the library."""
    return f"{project.course.distribution}.zip"


def chapter_file(name: str) -> str:
    """Return the address of a chapter's PDF in the site, which not every site has."""
    return f"pdf/{name}.pdf"


def book_file(project: Project) -> str:
    """Return the address of the PDF of all chapters."""
    return f"{project.course.distribution}.pdf"


def install_commands(project: Project) -> list[str]:
    """Return the lines that install the library from its wheels and open JupyterLab.

    With the extras that most chapters need, and in an environment of its own: many systems refuse
    to install anything outside one.
    """
    extras = ",".join(project.notebook_extras)
    wheel, *others = wheel_names(project.course)
    own = f"{wheel}[{extras}]" if extras else wheel
    return [
        "python3 -m venv .venv",
        "source .venv/bin/activate",
        f"pip install {' '.join(json.dumps(name) for name in (own, *others))} jupyterlab",
        "jupyter lab",
    ]


def install_notes(extras: Iterable[str]) -> list[str]:
    """Return what `install_commands` are on Windows, and how PyTorch stays small."""
    return [ON_WINDOWS, *([SMALL_TORCH] if "torch" in extras else [])]


def menu(project: Project, url: str, file: str, folder: str) -> dict[str, Any]:
    """Return what the template ``notebook-menu.html`` shows for a chapter.

    Its notebook is ``file``, ``folder`` the address of ``notebooks/`` relative to the page, and
    ``url`` the repository setting.
    """
    files = [("all chapters and the library (zip)", archive_name(project))]
    files += [("the notebook alone", file)]
    files += [("the library (wheel)", wheel) for wheel in wheel_names(project.course)]
    away = {}
    if repository := owner_and_name(url):
        name, lab = "/".join(repository), quote(f"lab/tree/{NOTEBOOKS}{file}", safe="")
        colab = COLAB.format(name=name, path=NOTEBOOKS + quote(file))
        away = {"Colab": colab, "Binder": BINDER.format(name=name, path=lab)}
    return {
        "files": [(what, folder + quote(name)) for what, name in files],
        "away": away,
        "pdfs": {
            "This chapter as PDF": chapter_file(file.removesuffix(".ipynb")),
            "The whole book as PDF": book_file(project),
        },
        "commands": install_commands(project),
        "notes": install_notes(project.notebook_extras),
    }


def foot(project: Project, url: str) -> dict[str, Any]:
    """Return what the template ``page-foot.html`` shows on every page.

    The version, the licences of text and code as pairs of name and address, where issues are
    written, and the names of all pages; "" for what there is not.
    """
    text, code = project.text_license, project.package.get("license")
    code = code if isinstance(code, str) else ""  # it may be a file's name, in a table
    # An expression such as "MIT OR Apache-2.0" has no page of its own.
    page = "" if " " in code else f"https://spdx.org/licenses/{code}.html"
    commons, repository = _COMMONS.search(text), owner_and_name(url)
    short = f"CC {commons[1].upper()} {commons[2]}" if commons else "its licence"
    return {
        "version": project.course.version,
        "pages": [chapter.stem for chapter in project.chapters()],
        "text": (short, text) if text else "",
        "code": (code, page) if code else "",
        "issues": "https://github.com/{}/{}/issues/new".format(*repository) if repository else "",
    }


def _add_context(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
    url, project = app.config.html_theme_options.get("repository_url", ""), project_of(app)
    context["foot"] = foot(project, url)
    if tree is not None and "kernelspec" in app.env.metadata.get(page, {}):
        file, folder = page.rsplit("/", 1)[-1] + ".ipynb", context["pathto"](NOTEBOOKS, 1)
        context["notebook_menu"] = menu(project, url, file, folder)
    parts = list(_parts(app, page, context["pathto"]))
    context["frame"] = {
        "parts": parts,
        "sections": list(_sections(app, page)),
        "kicker": _kicker(app, page, parts),
    }


def _parts(app: Sphinx, page: str, pathto: Any) -> Iterator[dict[str, Any]]:
    """Yield the parts of the book, each with its chapters."""
    site = app.config.external_site_map
    for part in site.root.subtrees:
        names = [name.removesuffix(".md") for name in part.files()]
        rows = [
            {
                "address": pathto(name),
                "title": site[name].title or app.env.titles[name].astext(),
                "is_here": name == page,
            }
            for name in names
            if name in app.env.titles
        ]
        if rows:
            yield {"caption": part.caption or "", "chapters": rows, "is_here": page in names}


def _sections(app: Sphinx, page: str) -> Iterator[dict[str, str]]:
    """Yield the sections of a page, below its title."""
    contents = app.env.tocs.get(page)
    items = list(contents.findall(nodes.list_item)) if contents else []
    for item in items[1:]:
        if item.parent.parent is items[0]:  # the title
            link = next(iter(item.findall(nodes.reference)))
            yield {"id": link["anchorname"].lstrip("#"), "title": html.escape(link.astext())}


def _kicker(app: Sphinx, page: str, parts: list[dict[str, Any]]) -> str:
    """Return the line above a title: ``"Chapter 2 · The mechanism"``; numbers are of exercises."""
    counted = [name for name in chapters(app.env) if name != app.config.root_doc]
    number = f"Chapter {counted.index(page) + 1}" if page in counted else ""
    part = next((part["caption"] for part in parts if part["is_here"]), "")
    return " · ".join(filter(None, (number, part)))


def _name_wheel(app: Sphinx, page: str, source: list[str]) -> None:
    # Before the page is parsed: MyST substitutes neither in blocks of code nor in HTML.
    source[0] = source[0].replace(WHEEL, project_of(app).course.wheel)


def behind_all_pages(project: Project) -> list[Path]:
    """Return what each page is made of beside its text: order, settings, and code of extensions."""
    order = [project.root / name for name in ("_toc.yml", "pyproject.toml")]
    return [*order, *TOOLS.glob("*.py"), *sources(COURSEKIT, ".py")]


def _titles_changed(app: Sphinx, env: BuildEnvironment) -> Iterable[str]:
    """Have all pages written again where one has another title: their contents show it."""
    titles = {page: title.astext() for page, title in env.titles.items()}
    before, vars(env)["coursekit_titles"] = vars(env).get("coursekit_titles"), titles
    return env.found_docs if titles != before else ()


def _configure(app: Sphinx, config: Config) -> None:
    """Set what follows from the course's settings, and what Jupyter Book sets otherwise."""
    config.templates_path.append(str(TOOLS / "frame"))
    config.notfound_template = "not-found.html"
    config.coursekit_notebooks = NOTEBOOKS
    # Sphinx knows the templates, but neither the order of the book nor the code of extensions.
    config.coursekit_made_of = fingerprint(behind_all_pages(project_of(app)))
    site = project_of(app).address()
    config.ogp_social_cards = {"enable": bool(site)}  # a picture needs an absolute address
    if site:
        config.notfound_urls_prefix = urlparse(site).path
        config.ogp_site_url = config.html_baseurl = site
    # As Sphinx's -j, which Jupyter Book does not pass on.
    app.parallel = os.cpu_count() or 1
    for extension in app.extensions.values():
        # Two of Jupyter Book's do not say so: one is for LaTeX, the other for several toctrees.
        extension.parallel_read_safe = extension.parallel_read_safe is not False
    # No text refers to a figure by number, and numbering them would read all pages at each build.
    config.numfig = False


def project_of(app: Sphinx) -> Project:
    """Return the course whose pages are made."""
    return Project(Path(app.srcdir).parent)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_config_value("coursekit_made_of", "", "env", [str])
    app.connect("config-inited", _configure, priority=1000)  # after Jupyter Book's own
    app.connect("source-read", _name_wheel)
    app.connect("env-updated", _titles_changed)
    # After the page for what is not found has got its own way of writing addresses.
    app.connect("html-page-context", _add_context, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
