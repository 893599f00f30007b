"""Pictures in pages take fewer bytes and look the same."""

from __future__ import annotations

import base64
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tools.site.publish.pictures import repack

START = '<image xlink:href="data:image/png;base64,'


def page_with(pixels: NDArray[np.uint8]) -> str:
    file = BytesIO()
    Image.fromarray(pixels, "RGBA").save(file, "PNG")
    return f'<p>{START}{base64.b64encode(file.getvalue()).decode()}"/></p>'


def picture_in(page: str) -> NDArray[np.uint8]:
    data = base64.b64decode(page.split(START)[1].split('"')[0])
    return np.asarray(Image.open(BytesIO(data)).convert("RGBA"))


def heat_map(rng: np.random.Generator) -> NDArray[np.uint8]:
    pixels = np.full((160, 200, 4), (26, 29, 33, 0), dtype=np.uint8)
    pixels[..., 3] = rng.integers(0, 256, (160, 200))
    return pixels


def test_a_picture_of_one_ink_is_smaller_and_the_same() -> None:
    pixels = heat_map(np.random.default_rng(3))
    rounded = pixels.copy()
    rounded[pixels[..., 3] < 10, :3] += 20  # premultiplied, this is less than one level
    before = page_with(rounded)
    after = repack(before)
    assert len(after) < 0.8 * len(before)
    np.testing.assert_array_equal(picture_in(after), pixels)


def test_a_picture_of_several_colours_stays_as_it_is() -> None:
    pixels = heat_map(np.random.default_rng(5))
    pixels[3, 4] = (200, 29, 33, 255)
    assert repack(page_with(pixels)) == page_with(pixels)
