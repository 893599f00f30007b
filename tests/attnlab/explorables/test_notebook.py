"""An explorable in a live kernel: it is a widget, and its state goes both ways."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

WIDGET = "application/vnd.jupyter.widget-view+json"
CELLS = [
    # The front end's bundle, wherever it was built, stands in for the installed one.
    "import os, pathlib\n"
    "from attnlab.explorables import base\n"
    "base._BUNDLES = pathlib.Path(os.environ['BUNDLE'])\n"
    "from attnlab.explorables import ContextVector",
    "shown = ContextVector(query=[0.5, 0.0])\nshown",
    "shown.query = [0.0, 2.0]",
    "print(shown.answer_code(), shown.context().round(4).tolist())",
    "moves = []\nshown.observe(lambda change: moves.append(change['new']), 'query')",
    "print(moves, shown.answer_code())",
]


class Kernel:
    """A notebook whose cells are run one after the other, and the front end's end of its comm."""

    def __init__(self, client: NotebookClient) -> None:
        self.client = client

    def run(self, cell: int) -> list[Any]:
        """Run a cell, and return its outputs."""
        return list(self.client.execute_cell(self.client.nb.cells[cell], cell).outputs)

    def send(self, model: str, state: dict[str, Any]) -> None:
        """Send a new state, as a front end does when something is moved."""
        data = {"method": "update", "state": state, "buffer_paths": []}
        content = {"comm_id": model, "data": data}
        self.client.kc.shell_channel.send(self.client.kc.session.msg("comm_msg", content))


@pytest.fixture
def kernel(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kernel]:
    monkeypatch.setenv("BUNDLE", str(bundle))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
    client = NotebookClient(nbformat.v4.new_notebook(cells=cells), timeout=60)
    with client.setup_kernel(env=dict(os.environ)):
        yield Kernel(client)


def test_state_goes_from_python_to_the_front_end_and_back(kernel: Kernel) -> None:
    kernel.run(0)
    (output,) = kernel.run(1)
    model = output.data[WIDGET]["model_id"]
    assert output.data["text/html"].startswith('<attn-context-vector data-explorable="context-v')

    opened = kernel.client.widget_state[model]
    assert opened["_model_module"] == "anywidget"
    assert "render" in opened["_esm"]
    assert opened["query"] == [0.5, 0.0]

    kernel.run(2)
    assert kernel.client.widget_state[model]["query"] == [0.0, 2.0]
    assert kernel.run(3)[0].text == "query = [0.0, 2.0] [0.35, 0.65]\n"

    kernel.run(4)
    kernel.send(model, {"query": [1.0, 0.0]})
    assert kernel.run(5)[0].text == "[[1.0, 0.0]] query = [1.0, 0.0]\n"
