"""Results as tables: real headers, numbers that line up, one clear line for bad input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from bs4 import BeautifulSoup, Tag

from attnlab.drawing import table

RATIOS = {"plain": [1.256, 3], "in blocks": [np.float32(-0.001), np.int64(1024)]}


def parsed(shown: Any) -> BeautifulSoup:
    return BeautifulSoup(shown._repr_html_(), "html.parser")


def body(page: BeautifulSoup) -> list[list[str]]:
    return [[cell.text for cell in row.find_all("td")] for row in page.select("tbody tr")]


def one(page: BeautifulSoup, selector: str) -> Tag:
    (element,) = page.select(selector)
    return element


def test_rows_and_columns_have_headers_with_their_scope() -> None:
    page = parsed(table(RATIOS, ["time", "tokens"], row_name="form", caption="Look <here>."))
    assert [th.text for th in page.select("thead th[scope=col]")] == ["form", "time", "tokens"]
    assert [th.text for th in page.select("tbody th[scope=row]")] == ["plain", "in blocks"]
    assert one(page, "caption").text == "Look <here>."
    assert page.find("here") is None


def test_name_of_all_columns_stands_above_them() -> None:
    page = parsed(table(RATIOS, [128, 8192], column_name="tokens"))
    over = one(page, "th[scope=colgroup]")
    assert (over.text, over["colspan"]) == ("tokens", "2")
    assert one(page, "thead td")["rowspan"] == "2"
    assert [th.text for th in page.select("thead tr:last-child th")] == ["128", "8192"]


def test_numbers_have_their_decimals_a_real_minus_and_groups() -> None:
    assert body(parsed(table(RATIOS, "ab"))) == [["1.26", "3"], ["0.00", "1,024"]]
    assert body(parsed(table({"x": [-1.5, 2.0]}, "ab", decimals=(1, 3)))) == [["−1.5", "2.000"]]


def test_columns_named_by_numbers_have_no_needless_zeros() -> None:
    page = parsed(table({"x": [1, 2, 3]}, [0.0, 0.1, np.float64(10.0)]))
    assert [th.text for th in page.select("thead th")] == ["0", "0.1", "10"]


def test_words_truth_values_and_nothing() -> None:
    page = parsed(table({"x": ["a <b>", True, np.False_, None], "y": ["c", 1, 2, 3]}, "abcd"))
    assert body(page)[0] == ["a <b>", "yes", "no", "–"]
    assert [th.get("class") for th in page.select("thead th")] == [["attn-text"], None, None, None]
    assert [td.get("class") for td in page.select("tbody tr:first-child td")][:2] == [
        ["attn-text"],
        None,
    ]


def test_table_that_a_phone_must_scroll_is_within_reach_of_the_keyboard() -> None:
    wide, narrow = (parsed(table({"x": np.ones(n)}, range(n), caption="C")) for n in (9, 3))
    region = one(wide, "[tabindex='0']")
    assert (region["role"], region["aria-label"]) == ("group", "C")
    assert narrow.select("[tabindex]") == []


def test_sentences_wrap_and_short_texts_do_not() -> None:
    page = parsed(table({"x": ["la chaise avait été ramassée", "(3, 7, 4)"]}, ["written", "shape"]))
    looks = [td.get("class") for td in page.select("tbody td")]
    assert looks == [["attn-text", "attn-sentence"], ["attn-text"]]
    assert page.select("[tabindex]") == []


def test_text_lines_up() -> None:
    shown = repr(table({"a": [0.5, "yes"], "long": [10, "no"]}, ["n", "word"], column_name="of"))
    assert shown.splitlines() == [
        "              of",
        "         n  word",
        "a     0.50  yes",
        "long    10  no",
    ]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"rows": {}, "columns": "ab"}, ValueError, "0 rows and 2 columns; expected at least one"),
        ({"rows": {"x": []}, "columns": []}, ValueError, "1 rows and 0 columns"),
        ({"rows": {"x": [1]}, "columns": "ab"}, ValueError, "row 'x' has 1 values; expected 2"),
        (
            {"rows": {"x": [1]}, "columns": "a", "decimals": [1, 2]},
            ValueError,
            "decimals has 2 entries; expected 1",
        ),
        ({"rows": {"x": [{}]}, "columns": "a"}, TypeError, "a cell holds a dict; expected a num"),
    ],
)
def test_bad_input_gets_one_line(
    arguments: dict[str, object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message) as caught:
        table(**arguments)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)
