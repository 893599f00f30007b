"""Where a notebook installs the course from: one setting, the repository's address."""

from __future__ import annotations

from pathlib import Path

from coursekit.errors import DISTRIBUTION, MissingExtraError


def install_source(root: Path | str) -> str | None:
    """Return what pip installs, from ``repository: url`` in ``_config.yml`` of ``root``.

    None without that setting: then there is nowhere to install from, and no cell that does.
    """
    settings = Path(root) / "_config.yml"
    if not settings.is_file():
        return None
    try:
        import yaml
    except ImportError:
        raise MissingExtraError("PyYAML", "grading") from None
    read = yaml.safe_load(settings.read_text(encoding="utf-8")) or {}
    url = (read.get("repository") or {}).get("url")
    return f"{DISTRIBUTION}[notebook] @ git+{url}" if url else None
