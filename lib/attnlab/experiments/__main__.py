"""``python -m attnlab.experiments``: see :mod:`attnlab.experiments.registry`."""

from attnlab.experiments.registry import main

raise SystemExit(main())
