"""What the site says of its licences, and how it says that it is cited."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from bs4 import BeautifulSoup

from tools.site.citation import PLACE, bibtex, reference, year
from tools.site.project import Project
from tools.site.publish.licences import Licences, add_licences, licences, text_name

ROOT = Path(__file__).resolve().parents[2]
FOOT = '<footer class="bd-footer-content"><p class="copyright">© 2026.</p></footer>'
CITED: dict[str, Any] = {
    "title": "Walks",
    "version": "1.2",
    "authors": [{"given-names": "Ada", "family-names": "Byron"}, {"name": "The Walkers"}],
}


def foot(said: Licences, root: str = "") -> str:
    page = BeautifulSoup(FOOT, "html.parser")
    add_licences(page, said, root)
    return str(page)


def test_licences_and_citation_stand_at_the_foot() -> None:
    shown = foot(Licences(("CC BY 4.0", "https://a"), ("MIT", "https://b"), "x.html#c"), "../")
    assert (
        '<br/>Text under <a href="https://a">CC BY 4.0</a> · code under <a href="https://b">MIT</a>'
        ' · <a href="../x.html#c">how to cite</a></p>'
    ) in shown


def test_a_foot_says_only_what_is_known() -> None:
    assert foot(Licences()) == FOOT
    assert "© 2026.<br/>code under MIT OR X</p>" in foot(Licences(code=("MIT OR X", "")))
    second = Project(ROOT / "tests" / "second_course")
    assert licences(second, {"a.html": "<p>"}).cite == ""


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://creativecommons.org/licenses/by-sa/4.0/", "CC BY-SA 4.0"),
        ("https://example.org/own", "its licence"),
        ("", ""),
    ],
)
def test_text_licences_have_names(address: str, name: str) -> None:
    assert text_name(address) == name


def test_a_citation_has_what_the_file_says() -> None:
    assert reference(CITED, "2026") == "Ada Byron, The Walkers (2026). Walks (version 1.2)."
    assert bibtex(CITED, "2026").splitlines() == [
        "@misc{walks2026,",
        "  author = {Ada Byron and {The Walkers}},",
        "  title = {{Walks}},",
        "  year = {2026},",
        "  note = {Version 1.2},",
        "}",
    ]
    found = CITED | {"doi": "10.1/x", "url": "https://a"}
    assert reference(found, "2026").endswith(". https://doi.org/10.1/x")
    assert "  url = {https://doi.org/10.1/x}," in bibtex(found, "")


def test_the_year_is_the_release_s_or_the_copyright_s() -> None:
    assert year({"date-released": "2027-01-02"}, "2026") == "2027"
    assert year({}, "2024-2026, all of us") == "2026"
    assert year({}, "") == ""


def test_the_site_says_how_it_is_cited_and_every_page_leads_there(site: Path) -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    package = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for name in ("welcome.html", "masking.html", "changes.html", "404.html"):
        page = BeautifulSoup((site / name).read_text(encoding="utf-8"), "html.parser")
        place = page.select_one(".bd-footer-content .copyright")
        assert place is not None
        text = f"Text under CC BY 4.0 · code under {package['project']['license']} · how to cite"
        assert text in place.get_text()
        addresses = [str(link["href"]) for link in place.select("a")]
        assert package["tool"]["coursekit"]["text-license"] in addresses
        assert addresses[-1].removeprefix("/") == f"welcome.html#{PLACE}"
    page = BeautifulSoup((site / "welcome.html").read_text(encoding="utf-8"), "html.parser")
    section = page.select_one(f"section#{PLACE}")
    assert section is not None
    for said in (cited["message"], cited["title"], f"Version {cited['version']}", "@misc{"):
        assert said in section.get_text()
