"""Repack pictures inside of pages with as few bytes as show the same."""

from __future__ import annotations

import base64
import re
from io import BytesIO

import numpy as np
from PIL import Image

_PICTURE = re.compile(r"(?<=data:image/png;base64,)[A-Za-z0-9+/=\s]+")


def repack(html: str) -> str:
    """Return a page whose pictures of one ink, as heat maps are, are stored as such.

    Matplotlib writes four bytes for each pixel. Where only the opacity differs, one is enough.
    """
    return _PICTURE.sub(_smaller, html)


def _smaller(match: re.Match[str]) -> str:
    before = base64.b64decode(match[0])
    with Image.open(BytesIO(before)) as picture:
        pixels = np.asarray(picture.convert("RGBA")).astype(int)
    colours, opacity = pixels[..., :3], pixels[..., 3]
    ink = colours[np.unravel_index(opacity.argmax(), opacity.shape)]
    # Colours of faint pixels are rounded more coarsely than they can be seen.
    seen = abs(colours - ink).max(axis=-1) * opacity / 255
    if seen.max() > 1:
        return match[0]
    levels, places = np.unique(opacity, return_inverse=True)
    made = Image.fromarray(places.reshape(opacity.shape).astype(np.uint8), "P")
    made.putpalette([int(part) for part in ink] * len(levels))
    file = BytesIO()
    made.save(file, "PNG", optimize=True, transparency=bytes(levels.tolist()))
    after = file.getvalue()
    return base64.b64encode(after).decode() if len(after) < len(before) else match[0]
