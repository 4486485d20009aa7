# The two commands are `make run` and `make test`; `make help` lists the others.
# Nothing is needed but Python 3 and make: uv, the packages and Python itself come by themselves.

SHELL := /bin/sh
.DEFAULT_GOAL := help

HOST ?= 127.0.0.1
PORT ?= 8000
ARGS ?=

PYTHON := .venv/bin/python
UV := $(or $(shell command -v uv 2>/dev/null),.uv/bin/uv)
STAMP := .venv/lock.stamp
CATALOGUES := $(patsubst %.po,%.mo,$(wildcard locale/*/LC_MESSAGES/*.po))
READY := $(STAMP) $(CATALOGUES)

# What a production site has in its environment, for the checks that look at it.
PRODUCTION := env EMBEDDED=0 DEBUG=0 ALLOWED_HOSTS=club.example HSTS_SECONDS=31536000 \
	HSTS_INCLUDE_SUBDOMAINS=1 HSTS_PRELOAD=1 SMTP_URL=smtp+tls://mail.example \
	SECRET_KEY=only-for-the-checks-0123456789-abcdefghijklmnopqrstuvwxyz

.PHONY: help
help: ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1	\2/p' $(MAKEFILE_LIST) | expand -t 24

# Running

.PHONY: run
run: $(READY) ## serve the demo club here (HOST=0.0.0.0 PORT=8001 to change where)
	@exec $(PYTHON) manage.py serve --demo --host $(HOST) --port $(PORT) $(ARGS)

.PHONY: test
test: $(READY) ## run the tests with all that this machine has (ARGS="-k deal" to choose)
	@exec $(PYTHON) -m tests $(ARGS)

.PHONY: bench
bench: $(READY) ## measure what recording a deal costs
	@exec $(PYTHON) -m benchmarks $(ARGS)

.PHONY: bench-engine
bench-engine: $(READY) ## measure the rules engine
	@exec $(PYTHON) benchmarks/engine.py $(ARGS)

.PHONY: messages
messages: $(READY) ## gather the sentences to translate into the catalogues
	$(PYTHON) manage.py gather_messages
	$(PYTHON) manage.py compile_catalogues

# Checking

CHECKS := check-format check-lint check-types check-imports check-templates check-migrations \
	check-deployment check-schema check-lock check-messages

.PHONY: check $(CHECKS)
check: $(CHECKS) ## run every check that is not a test
	@echo "Every check has passed."

check-format: $(READY)
	.venv/bin/ruff format --check .

check-lint: $(READY)
	.venv/bin/ruff check .

check-types: $(READY)
	.venv/bin/mypy

check-imports: $(READY)
	.venv/bin/lint-imports

check-templates: $(READY)
	find templates -name '*.html' -print0 | xargs -0 -r .venv/bin/djade --check --target-version 6.1

check-migrations: $(READY)
	$(PYTHON) manage.py makemigrations --check --dry-run

check-deployment: $(READY)
	@$(PRODUCTION) $(PYTHON) manage.py check --deploy --fail-level WARNING

check-schema: $(READY)
	$(PYTHON) manage.py spectacular --validate --fail-on-warn --file /dev/null

check-lock: $(READY)
	$(PYTHON) .ci/check_lock.py

check-messages: $(READY)
	$(PYTHON) manage.py compile_catalogues --all

# Setting up

.PHONY: setup
setup: $(READY) ## set up without running anything

$(STAMP): requirements.lock | $(UV)
	@echo "Setting up; this takes a minute the first time."
	@# First the Python of .python-version, then any that is new enough, and only then a download.
	@test -x $(PYTHON) \
		|| $(UV) venv --quiet --no-python-downloads .venv 2>/dev/null \
		|| $(UV) venv --quiet --no-python-downloads --python '>=3.12' .venv 2>/dev/null \
		|| $(UV) venv --quiet .venv \
		|| { echo "Python 3.12 or newer is needed, and could not be fetched." >&2; exit 1; }
	@VIRTUAL_ENV=.venv $(UV) pip sync --quiet --require-hashes --compile-bytecode requirements.lock
	@cp requirements.lock $@

%.mo: %.po | $(STAMP)
	@$(PYTHON) manage.py compile_catalogues

.uv/bin/uv:
	@echo "Putting uv into .uv/."
	@python3 -m venv .uv || { echo "Python's venv module is missing: install python3-venv, or uv." >&2; exit 1; }
	@.uv/bin/python -m pip install --quiet --disable-pip-version-check uv

.PHONY: lock
lock: | $(UV) ## take the newest packages that fit pyproject.toml into requirements.lock
	$(UV) lock --quiet --upgrade
	$(UV) export --quiet --frozen --all-groups --no-emit-project --output-file requirements.lock

.PHONY: clean
clean: ## forget the set-up (the data in var/ stays)
	rm -rf .venv .uv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
