"""Sphinx extension: what stands around a chapter. Download, Colab and Binder buttons.

A chapter is MyST, which neither Colab nor Binder opens. Both open the notebook which the build
makes of it and which is published with the site; so they are offered only when ``repository:
url:`` in ``_config.yml`` says where that is. The notebook can be downloaded in any case.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlparse

from sphinx.application import Sphinx
from sphinx.config import Config

BRANCH = "gh-pages"
COLAB = "https://colab.research.google.com/github/{owner}/{name}/blob/{branch}/notebooks/{file}"
BINDER = "https://mybinder.org/v2/gh/{owner}/{name}/{branch}?urlpath={path}"


class RepositoryError(ValueError):
    """``repository: url:`` is set and is not the address of a GitHub repository."""


def owner_and_name(url: str) -> tuple[str, str] | None:
    """Return owner and name of ``https://github.com/OWNER/NAME``; None for no setting."""
    if not url:
        return None
    address = urlparse(url)
    parts = address.path.strip("/").removesuffix(".git").split("/")
    if address.hostname != "github.com" or len(parts) != 2 or not all(parts):
        raise RepositoryError(
            f"_config.yml: repository url {url!r}: expected https://github.com/OWNER/NAME, "
            "or an empty string for no Colab and Binder buttons"
        )
    return parts[0], parts[1]


def site_url(url: str) -> str:
    """Return the address at which the repository's published site stands; "" for no setting."""
    found = owner_and_name(url)
    return f"https://{found[0].lower()}.github.io/{found[1]}/" if found else ""


def buttons(url: str, file: str, download: str) -> dict[str, Any]:
    """Return the theme's button group for the notebook ``file`` of a chapter.

    Parameters
    ----------
    url : str
        The repository setting.
    file : str
        Name of the notebook below ``notebooks/``.
    download : str
        Its address relative to the page.
    """
    links = [("Download the notebook", download, "fas fa-download", "download-notebook-button")]
    found = owner_and_name(url)
    if found:
        place = {"owner": found[0], "name": found[1], "branch": BRANCH, "file": quote(file)}
        path = quote(f"lab/tree/notebooks/{file}", safe="")
        links += [
            ("Open in Colab", COLAB.format(**place), "fas fa-arrow-up-right-from-square", "colab"),
            ("Open in Binder", BINDER.format(**place, path=path), "fas fa-rocket", "binder"),
        ]
    made = [
        {"type": "link", "text": text, "url": href, "icon": icon, "label": label}
        for text, href, icon, label in links
    ]
    label = "Run this chapter as a notebook"
    return {
        "type": "group",
        "icon": "fas fa-rocket" if found else "fas fa-download",
        "tooltip": label,
        "label": "notebook-buttons",
        "buttons": made,
    }


def _add_buttons(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
    if tree is None or "kernelspec" not in (context.get("meta") or {}) | _metadata(app, page):
        return
    file = page.rsplit("/", 1)[-1] + ".ipynb"
    url = app.config.html_theme_options.get("repository_url", "")
    download = context["pathto"](f"notebooks/{file}", 1)
    context["header_buttons"].insert(0, buttons(url, file, download))


def _metadata(app: Sphinx, page: str) -> dict[str, Any]:
    return dict(app.env.metadata.get(page, {}))


def _take_address(app: Sphinx, config: Config) -> None:
    """Tell the extensions that need it at which address the site will stand."""
    site = site_url(config.html_theme_options.get("repository_url", ""))
    if site:
        config.notfound_urls_prefix = urlparse(site).path
        config.ogp_site_url = site


def _number_nothing(app: Sphinx, config: Config) -> None:
    # The book refers to no figure by number, and to number them all pages are read at each build.
    # Jupyter Book's LaTeX extension sets it, whatever `_config.yml` says.
    config.numfig = False


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx. After the theme (501), which prepares the list of buttons."""
    app.connect("html-page-context", _add_buttons, priority=502)
    app.connect("config-inited", _take_address)
    app.connect("config-inited", _number_nothing, priority=1000)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
