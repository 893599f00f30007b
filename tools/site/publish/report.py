"""Add the links that report a mistake: one on each page, one below each exercise.

They open a new issue of the course's repository, which already says where the mistake is and in
which version. Where `repository: url:` is empty there are none.
"""

from __future__ import annotations

from urllib.parse import urlencode

from bs4 import BeautifulSoup, Tag

from coursekit.notebooks.install import owner_and_name

_ISSUE = "https://github.com/{}/{}/issues/new"
_ASKED = "What is wrong, and what would be right?"
_HEADING = ":scope > :is(h1, h2, h3, h4, h5, h6)"
#: A page's link does not know what its reader saw: the words they have marked say it, with their
#: section. The address stays whole without scripts.
SCRIPT = (
    'addEventListener("click",e=>{const a=e.target.closest?.("a[data-report]"),s=getSelection();'
    "if(!a||!String(s).trim())return;"
    'const n=s.anchorNode,p=(n.nodeType==1?n:n.parentElement).closest("article section"),'
    "u=new URL(a.href),q=u.searchParams,"
    'h=p?.querySelector(":scope>:is(h1,h2,h3,h4,h5,h6)")?.firstChild?.textContent.trim();'
    'q.set("body",(h?`Section: ${h}\\n`:"")+q.get("body")+`\\n\\n> ${String(s).trim().slice(0,500)'
    '.replace(/\\n+/g,"\\n> ")}\\n`);a.href=u},true)'
)


def issue_page(repository: str) -> str:
    """Return where a new issue is written; "" where the course has no repository."""
    place = owner_and_name(repository)
    return _ISSUE.format(*place) if place else ""


def add_reports(page: BeautifulSoup, name: str, issues: str, version: str) -> None:
    """Write the links into a finished page.

    Parameters
    ----------
    page : BeautifulSoup
        The page, which is changed.
    name : str
        Its file name.
    issues : str
        What `issue_page` returns.
    version : str
        The course's.
    """
    foot = page.select_one(".bd-footer-content .copyright")
    title = page.select_one("article h1")
    if not issues or foot is None or title is None:
        return
    where = {"Page": f"{_text(title)} ({name})"}
    foot.append(page.new_tag("br"))
    foot.append(_link(page, "report a mistake", issues, f"{_text(title)}: ", where, version))
    for block in page.select("section.ck-exercise[data-exercise]"):
        own = {**where, **_place_of(block)}
        line = page.new_tag("p", attrs={"class": "ck-report"})
        line.append(
            _link(
                page,
                "Report a mistake in this exercise",
                issues,
                f"{own['Exercise']}: ",
                own,
                version,
            )
        )
        block.append(line)


def _place_of(block: Tag) -> dict[str, str]:
    """Return the section and the exercise of a block, by the words that an issue has for them."""
    section = block.find_parent("section")
    heading = section.select_one(_HEADING) if section else None
    exercise = f"{block['data-exercise']}, version {block['data-version']}"
    return {**({"Section": _text(heading)} if heading else {}), "Exercise": exercise}


def _text(heading: Tag) -> str:
    """Return a heading's words, without the link to itself."""
    return "".join(
        str(text)
        for text in heading.find_all(string=True)
        if not text.find_parent(class_="headerlink")
    ).strip()


def _link(
    page: BeautifulSoup, words: str, issues: str, title: str, where: dict[str, str], version: str
) -> Tag:
    lines = [f"{what}: {text}" for what, text in {**where, "Course": version}.items()]
    query = urlencode({"title": title, "body": "\n".join([*lines, "", _ASKED, ""])})
    link = page.new_tag("a", href=f"{issues}?{query}", attrs={"data-report": ""})
    link.string = words
    return link
