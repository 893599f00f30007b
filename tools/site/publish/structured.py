"""A page described in the vocabulary of schema.org, as search engines read it: JSON-LD.

The first page is the course; pages that take time are its chapters. What nobody said is left out,
and so is what the course says of all of them, since every byte is in every page.
"""

from __future__ import annotations

import json
from typing import Any

from tools.site.publish.about import PageFacts, SiteFacts


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
    return site.address and f"{site.address}{page.file}"


def _duration(minutes: int) -> str:
    """Return a time as ISO 8601 writes it."""
    return f"PT{minutes}M"


def _said(value: Any) -> Any:
    """Return a description without what is empty."""
    if not isinstance(value, dict):
        return [_said(each) for each in value] if isinstance(value, list) else value
    return {key: _said(each) for key, each in value.items() if each not in ("", [])}
