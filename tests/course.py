"""The course's exercises, which many tests look at: loaded once a process."""

from __future__ import annotations

from pathlib import Path

from coursekit.bank.load import load_bank

BANK = load_bank(Path(__file__).resolve().parents[1] / "exercises")
