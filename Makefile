# All targets run in .venv, which the first one creates; each installs only the dependencies that it needs.

PYTHON ?= python3
PROBLEM ?= tour
N ?=
ENC ?=
SET ?=
OUT ?= out/
OPTIONS ?=

RUN := .venv/bin/python -m
SETTINGS = $(if $(N),-n $(N)) $(foreach pair,$(SET),--set $(pair))
INSTANCE = $(PROBLEM) $(if $(ENC),--enc $(ENC)) $(SETTINGS) $(OPTIONS)

# One worker per core: each further worker would repeat imports and collection.
SIDE_BY_SIDE = -n $$(nproc) --dist worksteal

SECONDS ?=
INPUTS ?=
TARGETS ?=

SOLVER ?=
COUNTER ?=
CAMPAIGN ?=
ARCHIVE ?= out/$(notdir $(campaign:.yaml=))
RESULTS ?= out/$(notdir $(campaign:.yaml=))-results

.PHONY: setup cnf solve count validate archive campaign images test test-outside test-all fuzz lint docs bench clean

setup: .venv/ready-dev

# Extras are installed on demand: none to write and solve files, `all` for embedded counters and solvers,
# `dev` for tests and lint, `docs` for the site.
.venv/ready: extras =
.venv/ready-all: extras = [all]
.venv/ready-dev: extras = [dev]
.venv/ready-docs: extras = [docs]
.venv/ready-all .venv/ready-docs: less = .venv/ready
.venv/ready-dev: less = .venv/ready .venv/ready-all

# No target depends on the folder itself, so an interrupted installation is repeated.
.venv/ready .venv/ready-all .venv/ready-dev .venv/ready-docs: pyproject.toml constraints.txt
	@test -x .venv/bin/python || $(PYTHON) -m venv .venv
	@.venv/bin/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.$(extras)'
	@touch $(less) $@

cnf: .venv/ready
	@mkdir -p out
	@.venv/bin/boardsat cnf $(INSTANCE) -o $(OUT)

solve: .venv/ready
	@.venv/bin/boardsat solve $(INSTANCE) $(if $(SOLVER),--solver $(SOLVER)); code=$$?; case $$code in 0 | 10 | 20 | 30) ;; *) exit $$code ;; esac

count: .venv/ready-all
	@.venv/bin/boardsat count $(INSTANCE) $(if $(COUNTER),--counter $(COUNTER))

archive: campaign = $(or $(CAMPAIGN),docs/campaigns/small.yaml)
archive: .venv/ready-all
	@.venv/bin/boardsat archive create $(ARCHIVE) $(campaign)
	@.venv/bin/boardsat archive verify $(ARCHIVE)

# Finished runs are stored: the same command continues an interrupted campaign.
campaign: campaign = $(or $(CAMPAIGN),docs/campaigns/encodings.yaml)
campaign: .venv/ready-all
	@.venv/bin/boardsat run $(campaign) -o $(RESULTS) $(OPTIONS)

# Run every encoding, or those in ENC, on every solver.
validate: .venv/ready-all
	@mkdir -p out
	@.venv/bin/boardsat validate $(PROBLEM) $(if $(ENC),--enc $(ENC)) $(SETTINGS) --html out/validation.html $(OPTIONS)

images: .venv/ready
	@docker/engine
	@.venv/bin/boardsat images

test: .venv/ready-dev
	@$(RUN) pytest $(SIDE_BY_SIDE) -m 'not slow'

# Tests that need an engine, solvers on PATH, a cluster or a browser. They wait half of the time, hence two workers per core.
test-outside: .venv/ready-dev
	@.venv/bin/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[cluster]'
	@$(RUN) pytest -n $$((2 * $$(nproc))) --dist worksteal -m 'outside and not slow'

test-all: .venv/ready-dev .venv/ready-docs
	@BOARDSAT_THOROUGH=1 $(RUN) pytest $(SIDE_BY_SIDE)
	@.ci/elsewhere

# Fuzz for SECONDS in total, or with INPUTS for each of the TARGETS; guided by coverage if Atheris can be installed.
fuzz: .venv/ready-dev
	@.venv/bin/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[fuzz]'
	@PYTHONPATH=tests $(RUN) fuzz $(TARGETS) $(if $(INPUTS),--inputs $(INPUTS),--seconds $(or $(SECONDS),60)) $(OPTIONS)

lint: .venv/ready-dev
	@$(RUN) ruff check .
	@$(RUN) ruff format --check .
	@$(RUN) mypy

# Broken links are errors by --strict, which ignores warnings under --quiet. The variable disables a notice of the theme.
docs: .venv/ready-docs
	@NO_MKDOCS_2_WARNING=1 $(RUN) mkdocs build --strict
	@echo "out/site/index.html: open it in a browser"

bench: .venv/ready-dev
	@.venv/bin/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[bench]'
	@$(RUN) bench all

clean:
	rm -rf .venv out build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
