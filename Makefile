# Two commands matter: `make demo` and `make test`. Both need only Python 3.11 or later and make.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint bench fuzz docs clean

demo: .venv/installed
	$(BIN)/python -m gumption demo

test: .venv/tested
	$(BIN)/python -m pytest -n auto

lint: .venv/linted
	$(BIN)/ruff check src tests benches fuzz docs/figures docs/site
	$(BIN)/ruff format --check src tests benches fuzz docs/figures docs/site
	$(BIN)/mypy

bench: .venv/tested
	$(BIN)/python -m benches

READER ?= all
SECONDS ?= 600

fuzz: .venv/tested
	$(BIN)/python -m fuzz $(READER) --seconds $(SECONDS)

docs: .venv/documented
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/installed: .venv/bin/python pyproject.toml constraints.txt
	$(BIN)/pip install -q -c constraints.txt -e '.[embeddings,figures]'
	touch $@

.venv/tested: .venv/installed
	$(BIN)/pip install -q -c constraints.txt -e '.[test]'
	touch $@

.venv/linted: .venv/tested
	$(BIN)/pip install -q -c constraints.txt -e '.[test,lint]'
	touch $@

.venv/documented: .venv/installed
	$(BIN)/pip install -q -c constraints.txt -e '.[docs]'
	touch $@

# What the tests marked `npm` look for; they skip without it.
node_modules/axe-core/axe.min.js:
	npm install --silent --no-save --no-package-lock --no-audit --no-fund axe-core@4.14.1

clean:
	rm -rf .venv demo report runs node_modules
