"""Write the head of a page, for search engines, link previews and browser tabs."""

from __future__ import annotations

import json
from typing import Any

from bs4 import BeautifulSoup, Comment, Tag

from tools.site.publish.about import PageFacts, SiteFacts

#: What nothing reads: the site has a search of its own, and terms stand in the structured data.
_NEEDLESS = 'meta[name^="docsearch:"], meta[name="keywords"], link[rel="canonical"]'


def describe(page: BeautifulSoup, file: str, site: SiteFacts) -> None:
    """Write titles, descriptions and addresses into the head of a page, in place."""
    head = page.head
    assert head is not None
    _tidy(head)
    facts = site.page(file)
    if facts is None:  # the search, the index, the page for what is not found
        head.append(page.new_tag("meta", attrs={"name": "robots", "content": "noindex"}))
        return
    is_start = file == site.start
    if is_start and head.title is not None:
        # Its title is the course's, which need not stand there twice.
        says_more = site.summary.startswith(site.title)
        head.title.string = site.summary if says_more else site.title
    _set(page, head, "name", "description", facts.description)
    _set(page, head, "property", "og:description", facts.description)
    _set(page, head, "property", "og:site_name", site.title)
    _set(page, head, "property", "og:type", "website" if is_start else "article")
    _addresses(page, head, facts, site)
    if data := structured_data(site, facts):
        head.append(page.new_tag("script", string=data, attrs={"type": "application/ld+json"}))


def _tidy(head: Tag) -> None:
    for extra in [*head.select('meta[name="viewport"]')[1:], *head.select(_NEEDLESS)]:
        extra.decompose()
    for text in head.find_all(string=True):
        if isinstance(text, Comment):
            text.extract()
        elif text.parent is head:
            text.replace_with("\n")
    head.smooth()
    for text in head.find_all(string=True, recursive=False):
        text.replace_with("\n")


def _addresses(page: BeautifulSoup, head: Tag, facts: PageFacts, site: SiteFacts) -> None:
    """Name the page's own address and its picture's, where the site's address is known."""
    if not site.address:
        for told in head.select('meta[property="og:url"]'):
            told.decompose()
        return
    address = site.url(facts)
    _set(page, head, "property", "og:url", address)
    head.append(page.new_tag("link", attrs={"rel": "canonical", "href": address}))
    _set(page, head, "property", "og:image", f"{site.address}{facts.card}")
    _set(page, head, "property", "og:image:alt", facts.title)
    _set(page, head, "name", "twitter:card", "summary_large_image")


def _set(page: BeautifulSoup, head: Tag, kind: str, name: str, content: str) -> None:
    """Give a property of the page its content, which it has once."""
    meta, *others = head.select(f'meta[{kind}="{name}"]') or [None]
    for other in others:
        if other is not None:
            other.decompose()
    if meta is None:
        meta = page.new_tag("meta", attrs={kind: name})
        head.append(meta)
    meta["content"] = content


def structured_data(site: SiteFacts, page: PageFacts) -> str:
    """Return the content of a page's script of the type ``application/ld+json``, or ""."""
    if page.file == site.start and site.chapters:
        described = _course(site, page)
    elif page.minutes:
        described = _chapter(site, page)
    else:
        return ""
    data = {"@context": "https://schema.org", **described}
    text = json.dumps(_said(data), ensure_ascii=False, separators=(",", ":"))
    return text.replace("</", "<\\/")  # would end the script


def _course(site: SiteFacts, start: PageFacts) -> dict[str, Any]:
    time = _duration(sum(page.minutes for page in site.chapters))
    return {
        "@type": "Course",
        "name": site.title,
        "description": start.description,
        "url": _url(site, start),
        "provider": {"@type": "Organization", "name": site.author, "url": site.address},
        "timeRequired": time,
        "educationalLevel": site.level,
        "inLanguage": site.language,
        "isAccessibleForFree": True,
        "license": site.license,
        "offers": {"@type": "Offer", "category": "Free"},
        "hasCourseInstance": {
            "@type": "CourseInstance",
            "courseMode": "Online",
            "courseWorkload": time,
        },
        "teaches": list(start.terms),
        "hasPart": [
            {
                "@type": "LearningResource",
                "name": page.title,
                "url": _url(site, page),
                "timeRequired": _duration(page.minutes),
            }
            for page in site.chapters
        ],
    }


def _chapter(site: SiteFacts, page: PageFacts) -> dict[str, Any]:
    return {
        "@type": "LearningResource",
        "learningResourceType": "chapter",
        "name": page.title,
        "description": page.description,
        "url": _url(site, page),
        "teaches": list(page.terms),
        "timeRequired": _duration(page.minutes),
        "educationalLevel": site.level,
        "isPartOf": {"@type": "Course", "name": site.title, "url": site.address},
    }


def _url(site: SiteFacts, page: PageFacts) -> str:
    return site.address and site.url(page)


def _duration(minutes: int) -> str:
    """Return a time as ISO 8601 writes it."""
    return f"PT{minutes}M"


def _said(value: Any) -> Any:
    """Return a description without what is empty."""
    if not isinstance(value, dict):
        return [_said(each) for each in value] if isinstance(value, list) else value
    return {key: _said(each) for key, each in value.items() if each not in ("", [])}
