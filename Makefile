# make book and make test do all set-up on a fresh machine; the other targets are for those who work on the book.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
SITE := _build/html
DECK := $(SITE)/book/interview/evaluation-metrics.apkg
BUILT := _build/built
SOURCES := _config.yml _toc.yml $(wildcard tools/*.py) $(shell find book metrics_lib metrics_book -type f -not -path '*/.*' -not -name '*.pyc')

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export IPYTHONDIR := $(CURDIR)/_build/ipython

.PHONY: book test pages serve notebooks values contributing anki style lint bench requirements clean

book: $(BUILT)
	@echo "The book is built. Open $(SITE)/book/index.html, or run 'make serve'."

test: $(READY) $(BUILT) style
	@mkdir -p $(IPYTHONDIR)
	$(BIN)/pytest -q -n 2 --dist loadfile --no-loadscope-reorder

style: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check

# `make test` checks the types as well, in a test of their own beside the others.
lint: style
	$(BIN)/mypy

serve: $(BUILT)
	$(BIN)/python -m http.server --bind 127.0.0.1 --directory $(SITE) 8000

# The pages that changed since the last build, with their warnings. What other pages show of them, such as a title, a number
# or a label, is as it was until `make book`, which starts from nothing.
pages: $(READY)
	$(BIN)/python -m tools.build . -n --keep-going --quiet

notebooks: $(READY)
	$(BIN)/python tools/notebooks.py

# What the numbers of the records evaluate to.
values: $(READY)
	$(BIN)/python -m tools.values

# The pages on rules and fields.
contributing: $(READY)
	$(BIN)/python -m tools.contributing

anki: $(READY)
	@mkdir -p _build
	$(BIN)/python -m tools.registries
	$(BIN)/python -m tools.deck _build/evaluation-metrics.apkg

bench: $(READY)
	$(BIN)/python -m benchmarks

# Pins everything that pyproject.toml asks for.
requirements: $(READY)
	$(BIN)/pip install --quiet uv
	$(BIN)/uv pip compile --universal --fork-strategy fewest --python-version 3.11 --all-extras pyproject.toml \
		--output-file requirements.txt --quiet

clean:
	rm -rf $(VENV) _build *.egg-info metrics_book/*.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(READY): requirements.txt pyproject.toml metrics_book/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Python 3.11 or newer is needed; '$(PYTHON)' is $$($(PYTHON) --version 2>&1)." \
			"Try 'make PYTHON=/path/to/python3.11'." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@{ $(BIN)/pip install --quiet --requirement requirements.txt && \
		$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable . --editable metrics_book; } || { \
		echo "The packages of requirements.txt could not be installed." \
			"Is the network (the Python package index) within reach?" >&2; exit 1; }
	@touch $@

# A build starts from nothing: Sphinx repeats no warning of a page it finds unchanged, and writes no page anew because another
# has changed.
$(BUILT): $(READY) $(SOURCES)
	@mkdir -p _build && touch _build/began
	rm -rf $(SITE) _build/.doctrees
	$(BIN)/python -m tools.build . -W -n --keep-going --quiet
	$(BIN)/python -m tools.archives $(SITE)
	$(BIN)/python -m tools.deck $(DECK)
	@mv _build/began $@
