"""Sphinx extension: a menu on each chapter, to download its notebook or open it elsewhere.

Colab and Binder open notebooks, not MyST: they open the notebook that the build makes of a chapter
and that is published with the site. The menu has them only if ``repository: url:`` in
``_config.yml`` says where the site is. The notebook can always be downloaded, alone or in a zip
with the others and the library that they need.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlparse

from sphinx.application import Sphinx
from sphinx.config import Config

from coursekit.notebook.install import owner_and_name, site_url, wheel_names
from tools.site.project import Project
from tools.site.settings import Settings

BRANCH = "gh-pages"
#: The folder of the notebooks in the site.
NOTEBOOKS = "notebooks/"
COLAB = "https://colab.research.google.com/github/{owner}/{name}/blob/{branch}/notebooks/{file}"
BINDER = "https://mybinder.org/v2/gh/{owner}/{name}/{branch}?urlpath={path}"


def archive_name(settings: Settings) -> str:
    """Return the name of the zip with all notebooks and the library.

    There is one for all chapters, because each would have to hold the library.
    """
    return f"{settings.course.distribution}.zip"


def install_command(settings: Settings) -> str:
    """Return the line that installs the library from its wheels, and JupyterLab."""
    extras = ",".join(settings.notebook_extras)
    wheel, *others = wheel_names(settings.course)
    own = f"{wheel}[{extras}]" if extras else wheel
    return f"pip install {' '.join(json.dumps(name) for name in (own, *others))} jupyterlab"


def menu(settings: Settings, url: str, file: str, folder: str) -> dict[str, Any]:
    """Return what the template ``notebook-buttons.html`` shows for a chapter.

    Parameters
    ----------
    settings : Settings
        Those of the course.
    url : str
        The repository setting.
    file : str
        Name of the chapter's notebook.
    folder : str
        Address of the folder ``notebooks/`` relative to the page.
    """
    links = [
        ("Download all notebooks and the library (zip)", archive_name(settings), "fas fa-download"),
        ("Download the notebook", file, "fas fa-download"),
    ]
    for wheel in wheel_names(settings.course):
        links.append(("Download the library (wheel)", wheel, "fas fa-download"))
    entries = [
        {"text": text, "url": f"{folder}{quote(name)}", "icon": icon, "away": False}
        for text, name, icon in links
    ]
    repository = owner_and_name(url)
    if repository:
        owner, name = repository
        place = {"owner": owner, "name": name, "branch": BRANCH, "file": quote(file)}
        path = quote(f"lab/tree/notebooks/{file}", safe="")
        away = [
            ("Open in Colab", COLAB.format(**place), "fas fa-arrow-up-right-from-square"),
            ("Open in Binder", BINDER.format(**place, path=path), "fas fa-rocket"),
        ]
        entries += [{"text": t, "url": u, "icon": icon, "away": True} for t, u, icon in away]
    return {
        "label": "Run this chapter as a notebook",
        "icon": "fas fa-rocket" if repository else "fas fa-download",
        "links": entries,
        "command": install_command(settings),
    }


def _add_menu(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
    if tree is None or "kernelspec" not in (context.get("meta") or {}) | _metadata(app, page):
        return
    file = page.rsplit("/", 1)[-1] + ".ipynb"
    url = app.config.html_theme_options.get("repository_url", "")
    settings = Project(Path(app.srcdir).parent).settings
    context["notebook_menu"] = menu(settings, url, file, context["pathto"](NOTEBOOKS, 1))


def _metadata(app: Sphinx, page: str) -> dict[str, Any]:
    return dict(app.env.metadata.get(page, {}))


def _offer_template(app: Sphinx, config: Config) -> None:
    config.templates_path.append(str(Path(__file__).with_name("templates")))
    config.coursekit_notebooks = NOTEBOOKS


def _take_address(app: Sphinx, config: Config) -> None:
    """Set the site's address for the extensions that need it."""
    site = site_url(config.html_theme_options.get("repository_url", ""))
    if site:
        config.notfound_urls_prefix = urlparse(site).path
        config.ogp_site_url = site


def _follow_the_reader(app: Sphinx, config: Config) -> None:
    # Without a mode the theme's script writes an error into the console of every page.
    config.html_context.setdefault("default_mode", "auto")


def _number_nothing(app: Sphinx, config: Config) -> None:
    # No text refers to a figure by number, and numbering them would read all pages at each build.
    # Jupyter Book's LaTeX extension sets this option whatever `_config.yml` says.
    config.numfig = False


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("html-page-context", _add_menu)
    app.connect("config-inited", _offer_template)
    app.connect("config-inited", _take_address)
    app.connect("config-inited", _follow_the_reader)
    app.connect("config-inited", _number_nothing, priority=1000)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
