# Needs Python 3.11 or newer, make and a C compiler; everything else goes into $(VENV).

PYTHON ?= python3
VENV   ?= .venv
JOBS   ?= 2
ARGS   ?=

PY    := $(VENV)/bin/python
STAMP := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help setup test test-slow theorems theorems-full paper lint types format bench clean

help: ## list these targets
	@echo "make TARGET [PYTHON=python3.12] [VENV=.venv] [JOBS=2] [ARGS='more options']"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-13s %s\n", $$1, $$2 }' Makefile

setup: $(STAMP) ## create the environment and install boundcheck in it, editable

# Redone only when what it installs may have changed.
$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "boundcheck needs Python 3.11 or newer, but '$(PYTHON)' is $$($(PYTHON) --version 2>&1 | tail -n 1); try: make setup PYTHON=python3.12" >&2; exit 1; }
	@echo "setup: $$($(PYTHON) --version) in $(VENV), installing boundcheck and its test tools (about a minute)"
	@$(PYTHON) -m venv "$(VENV)"
	@$(PY) -m pip install -qq --disable-pip-version-check -c constraints.txt -e '.[test]'
	@touch "$@"
	@echo "setup: done"

test: setup ## the whole suite, except the tests marked slow
	$(PY) -m pytest -n $(JOBS) --dist loadgroup -m "not slow" tests $(ARGS)

test-slow: setup ## the tests marked slow
	$(PY) -m pytest -n $(JOBS) --dist loadgroup -m slow tests $(ARGS)

theorems: setup ## every claim of every paper, as pytest items
	$(PY) -m pytest theorems/ $(ARGS)

theorems-full: setup ## the same on every problem, with longer runs: an hour or more
	$(PY) -m pytest theorems/ --bc-profile full --bc-jobs $(JOBS) $(ARGS)

paper: setup ## check, falsify and report the whole paper
	$(VENV)/bin/boundcheck paper --figures --worst-cases $(ARGS)

lint: setup ## ruff: lint and format, changing nothing
	$(PY) -m ruff check
	$(PY) -m ruff format --check

types: setup ## mypy, strict, on all four folders
	$(PY) -m mypy

format: setup ## ruff: fix and format
	$(PY) -m ruff check --fix
	$(PY) -m ruff format

bench: setup ## the benchmarks, then the tables of docs/performance.md; ARGS=--quick keeps nothing
	$(PY) benchmarks/table.py $(ARGS)

clean: ## remove the environment, caches and build products
	rm -rf "$(VENV)" build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
