"""Train the models with their faults again, and store the logs."""

from __future__ import annotations

import json
from pathlib import Path

from attnlab.faults.logs import RUNS, SEED
from attnlab.models.faulty import FAULTS, train


def main() -> None:
    """Write ``logs.json`` beside this file."""
    logs = {letter: train(FAULTS[name], SEED) for letter, name in RUNS.items()}
    text = json.dumps(logs, indent=1) + "\n"
    Path(__file__).with_name("logs.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
