"""The course's exercises, read once for all test modules that list them."""

from __future__ import annotations

from pathlib import Path

from coursekit.bank import load_bank

ROOT = Path(__file__).resolve().parents[1]
BANK = load_bank(ROOT / "exercises")
