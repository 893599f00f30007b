"""An array as a PNG image in a ``data:`` address."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray


def png_address(image: NDArray[Any] | None, style: Mapping[str, Any]) -> str:
    """Return the address of an image: (rows, columns), or with 3 or 4 colour parts."""
    pixels = _rgba(np.asarray(image), style)
    rows, columns = pixels.shape[:2]
    lines = b"".join(b"\0" + row.tobytes() for row in pixels)
    header = struct.pack(">IIBBBBB", columns, rows, 8, 6, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n" + b"".join(
        _chunk(name, content)
        for name, content in ((b"IHDR", header), (b"IDAT", zlib.compress(lines)), (b"IEND", b""))
    )
    return "data:image/png;base64," + base64.b64encode(data).decode()


def _chunk(name: bytes, content: bytes) -> bytes:
    checksum = zlib.crc32(name + content)
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", checksum)


def _rgba(image: NDArray[Any], style: Mapping[str, Any]) -> NDArray[np.uint8]:
    """Return pixels with four parts; an array of numbers goes from transparent to black."""
    values = np.asarray(image, float)
    if values.ndim == 2:
        low, high = style.get("vmin"), style.get("vmax")
        low = np.nanmin(values) if low is None else low
        high = np.nanmax(values) if high is None else high
        shares = np.clip((values - low) / ((high - low) or 1.0), 0, 1)
        pixels = np.zeros((*values.shape, 4))
        pixels[..., 3] = np.nan_to_num(shares)
        return np.round(255 * pixels).astype(np.uint8)
    scale = 1.0 if image.dtype.kind in "ui" else 255.0
    if values.shape[-1] == 3:
        opaque = np.full((*values.shape[:2], 1), 255.0 / scale)
        values = np.concatenate([values, opaque], axis=-1)
    return np.clip(np.round(scale * values), 0, 255).astype(np.uint8)
