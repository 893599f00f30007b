"""What is drawn in Python and in TypeScript has one name in both."""

from __future__ import annotations

from pathlib import Path

from attnlab import drawing, explorables

#: What only an interactive figure needs: controls, and views that Python does not draw.
ONLY_TYPESCRIPT = {
    *("bars", "cell_style", "dom", "fields", "fly", "frame", "number_line", "paint_grid"),
    *("plane_frame", "ribbons", "sharing", "strips"),
}


def test_every_view_of_the_front_end_has_its_twin_in_python() -> None:
    python = {path.stem for path in Path(drawing.__file__).parent.glob("*.py")}
    front_end = {path.stem for path in (Path(explorables.__file__).parent / "ui").glob("*.ts")}
    assert front_end - python == ONLY_TYPESCRIPT
    assert {"cone", "heat_map", "marks", "mask_map", "plane", "scales"} <= front_end & python
