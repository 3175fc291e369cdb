# Everything happens in .venv, which is set up when needed.
PYTHON ?= python3
BIN := .venv/bin
TESTS := $(BIN)/pytest -n auto --dist worksteal
POOR := --without bubblewrap --without landlock --without browser --without npm

.PHONY: help docs site sealed screenshots wheel release lab test proofs test-landlock demo build figures house modules bench profile attacks

help:
	@echo "make lab    open JupyterLab on a working copy of the notebooks"
	@echo "make test   run all checks: ruff, mypy, the tests"
	@echo "make proofs try the whole course where the tests try a part, or with PART=2/8 an eighth of it"
	@echo "make test-landlock  run the tests of the sandbox again, as if there were no bubblewrap"
	@echo "make demo   grade a small class and print the table"
	@echo "make docs   build the documentation site in build/docs"
	@echo "make site   build the documentation site with the course in it, in build/site"
	@echo "make screenshots  take the pictures of pages in docs, and what cells show for a look, with Chromium"
	@echo "make wheel  build the wheels of foldem and foldem-course in dist, with documentation and sealed exams in them"
	@echo "make release  build the distributions twice, check them, and try each in a clean environment on each Python"
	@echo "make build  build the notebooks from solutions/, and the sheet of messages"
	@echo "make bench  measure"
	@echo "make profile  tell where a submission's time goes, as a table and a flame graph (profile.svg)"
	@echo "make attacks  try every attack of tests/attacks in every mode, measure channels, and grade a thousand odd notebooks"
	@echo "make figures  prove all laws of the course, and count what its exams refuse and accept"
	@echo "make modules  list all modules, each with the first line of its docstring, which says what it contains"
	@echo "make house  count layers and imports, and the calls of a check, a submission and a click"

.venv/ready: pyproject.toml packages/course/pyproject.toml constraints.txt
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'Foldem needs Python 3.11 or newer')"
	$(PYTHON) -c "import ensurepip" || { echo "Python's venv is missing: apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet --constraint constraints.txt --editable packages/course --editable ".[test]"
	touch $@

lab: .venv/ready
	$(BIN)/foldem lab work

test: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(TESTS) $(POOR) -m "not rich"
	PYTEST_XDIST_AUTO_NUM_WORKERS=$$(($$(getconf _NPROCESSORS_ONLN) + 1)) $(TESTS) -m rich

proofs: .venv/ready
	$(TESTS) --proofs $(if $(PART),--part $(PART))

test-landlock: .venv/ready
	$(TESTS) --without bubblewrap -m "(sandbox or landlock) and not bubblewrap and not nbgrader"

demo: .venv/ready
	rm -rf build/demo
	$(BIN)/foldem demo build/demo
	$(BIN)/python -m zipfile --extract build/demo/submissions.zip build/demo/submissions
	$(BIN)/foldem grade build/demo/submissions

build: .venv/ready
	$(BIN)/foldem build
	$(BIN)/foldem build --pack tests/packs/war
	$(BIN)/foldem build --pack tests/packs/stdlib
	$(BIN)/foldem build --pack packs/kalah
	$(BIN)/python -m tests.messages

docs: .venv/ready
	$(BIN)/sphinx-build --quiet --fail-on-warning docs build/docs

site: .venv/ready
	$(BIN)/sphinx-build --quiet --fail-on-warning -t try docs build/site
	$(BIN)/foldem site build/site/try

screenshots: .venv/ready
	$(BIN)/python -m tests.sheet

sealed: .venv/ready
	$(BIN)/python -m tests.sealed

wheel: docs sealed
	$(BIN)/hatchling build --target wheel
	cd packages/course && ../../$(BIN)/hatchling build --target wheel --directory ../../dist

release: docs sealed
	$(BIN)/python -m tests.release

attacks: .venv/ready
	$(BIN)/pytest -q -n 2 --proofs tests/test_attacks.py
	$(BIN)/python benchmarks/channels.py --bits 40
	FOLDEM_EXAMPLES=1000 $(BIN)/pytest -q -n 2 tests/test_bad_input.py -k "any_file_is or whatever_bytes"

figures: .venv/ready
	$(BIN)/foldem prove

modules:
	@grep -rm1 --include="*.py" --exclude-dir=games '^"""' $(or $(IN),course autograder solutions) | sed 's/:"""/  /; s/"""$$//' | sort

house: .venv/ready
	$(BIN)/python -m tests.house

bench: .venv/ready
	for script in benchmarks/[a-z]*.py; do $(BIN)/python $$script; done

profile: .venv/ready
	$(BIN)/python benchmarks/_profile.py
