# The short form of run.py, which needs no make (python run.py play, python run.py test), and what else developers do: each goal first
# makes the environment it needs in .venv. A stamp that is younger than pyproject.toml says that an environment is complete, so a second
# run starts at once.

VENV := .venv
BIN := $(VENV)/bin
PY := $(BIN)/python
# What a goal hands on: make test ARGS="tests/scan -x", make play ARGS="--archive sqlite:///tonight.db"
ARGS ?=

# What `make bench` measures, a part each.
BENCHES := screens home keys commands rules rehearsals press own archive exchange scan web weight

.DEFAULT_GOAL := help
# A goal that was interrupted is made again from the start.
.DELETE_ON_ERROR:
.PHONY: help play demo test test-slow test-systems test-newest check docs catalogues proofs bench soak storms mutants clean levers $(BENCHES)

help:
	@echo "make play    opens the companion (first it makes the environment in $(VENV))"
	@echo "make demo    the whole main job without a screen: bands, a dungeon, labels, a scanned box"
	@echo "make test    every rule, screen, command and page: what a change is held against, in 5 minutes on two cores."
	@echo "             Leaves out the tests marked slow, and tries each property with a quarter of its examples"
	@echo "make test-slow  what make test leaves out: crashes, long random evenings, typing letter by letter, archives on"
	@echo "             PostgreSQL, archives of older versions, pictures in the documents; and half of the examples of each property"
	@echo "make test-systems  the tests that start the program, on other systems that it makes in a cache folder: Debian 13 and"
	@echo "             testing (Python 3.13 and 3.14), Windows under Wine, other Pythons; ARGS=--all runs all tests there, ARGS=trixie on one"
	@echo "make test-newest  installs the newest libraries elsewhere, beyond the ranges of pyproject.toml, too, and names the private"
	@echo "             part of one that broke (ARGS=textual==8.1.1 tries that version)"
	@echo "make check   style, types, layers, then make test"
	@echo "make docs    writes anew what the documents take from the program: lists of commands, keys and lines, and pictures"
	@echo "make catalogues  writes all texts of the program into the catalogues of languages, and counts what is translated"
	@echo "make levers  rehearses the levers of the rulebook for hours and writes the tables of docs/levers.md (ARGS=\"--games 50\")"
	@echo "make proofs  draws every label design on stocks of every size and shape: proofs.png, and proofs-black.png in one bit (ARGS=other.png)"
	@echo "make bench   how fast it is, beside its budgets; make bench press (or $(BENCHES)) measures one part"
	@echo "make soak    looks for new faults at random, for hours: 2,000 games and 500 of each ready page, every action checked (ARGS=\"100 --game solforge\"),"
	@echo "             ten times the examples of each property, statistics of 100,000 sittings, how often intervals of rehearsals hold the truth, typing with slips, pictures of other things and damaged codes,"
	@echo "             then the 5,000 storms of disks, 1,000 storms of guests and 500 of shared folders"
	@echo "make storms  lets 5,000 storms blow over an archive: kills, failing disks, swapped files, stalled servers (ARGS=500)"
	@echo "make mutants changes the rules in 200 places, one at a time, and counts what the tests notice (ARGS=\"50 --seed 7\")"
	@echo "make clean   removes $(VENV) and what tools left behind"

play: $(VENV)/.play
	@$(BIN)/companion $(ARGS)

demo: $(VENV)/.play
	@$(BIN)/companion demo $(ARGS)

test: $(VENV)/.test
	$(PY) -m pytest -n auto --dist worksteal $(ARGS)

test-slow: $(VENV)/.test
	$(PY) -m pytest -n auto --dist worksteal -m "slow or hypothesis" --hypothesis-profile slow $(ARGS)

test-systems: $(VENV)/.test
	@$(PY) -m tests.systems $(ARGS)

test-newest: $(VENV)/.test
	@$(PY) -m tests.newest $(ARGS)

check: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@$(MAKE) --no-print-directory test

docs: $(VENV)/.test
	$(PY) -m tests.docs.generate
	$(PY) -m tests.plain.example
	$(PY) -m tests.docs.pictures
	$(PY) -m tests.docs.pages
	$(PY) -m tests.docs.moving
	$(PY) -m tests.docs.stock_pictures
	$(PY) -m tests.docs.design_pictures

catalogues: $(VENV)/.test
	@$(PY) -m tests.languages

levers: $(VENV)/.test
	@$(PY) -m tests.docs.levers $(ARGS)

proofs: $(VENV)/.test
	@$(PY) -m tests.labels.proofs $(ARGS)

# OTHERS=/path/to/python names one that has other label programs, to measure beside ours; DECKS=100000 makes the archive of the
# part `archive` so large, with fifty entries a deck.
bench: $(VENV)/.test
	@OTHERS="$(OTHERS)" DECKS="$(DECKS)" $(PY) -m tests.bench $(filter $(BENCHES),$(MAKECMDGOALS)) $(ARGS)

$(BENCHES): bench
	@:

soak: $(VENV)/.test
	@$(PY) -m tests.soak $(or $(ARGS),2000)
	@$(PY) -m tests.soak $(if $(ARGS),80,4000) --ready
	@$(PY) -m pytest -q -n auto --dist worksteal -m "hypothesis or soak" --hypothesis-profile soak
	@$(PY) -m tests.statistics.sittings $(if $(ARGS),10000,100000)
	@$(PY) -m tests.slips $(if $(ARGS),2000,100000)
	@$(PY) -m tests.hostile 300
	@$(PY) -m tests.rehearsal.soak $(if $(ARGS),200,10000)
	@$(PY) -m tests.rehearsal.coverage $(if $(ARGS),200 --samples 30,4000 --samples 100)
	@$(PY) -m tests.rehearsal.soak_duels $(if $(ARGS),200,10000)
	@$(PY) -m tests.scan.soak $(if $(ARGS),200 5000,20000 500000)
	@$(PY) -m tests.scan.soak_spreads $(if $(ARGS),20,1000)
	@$(PY) -m tests.scan.soak_audits $(if $(ARGS),8,60)
	@$(MAKE) --no-print-directory storms ARGS=
	@$(PY) -m tests.web.guest_storm $(if $(ARGS),20,1000)
	@$(PY) -m tests.archive.sharing.storm $(if $(ARGS),20,500)
	@$(PY) -m tests.release.container

storms: $(VENV)/.test
	@$(PY) -m tests.crash $(or $(ARGS),5000)

mutants: $(VENV)/.test
	@$(PY) -m tests.mutants $(or $(ARGS),200)

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The script makes the environment, and does so the same way where there is no make.
$(VENV)/.test $(VENV)/.play: pyproject.toml
	@$(call RUN,setup $(patsubst .%,%,$(notdir $@)))

# PYTHON=/path/to/python chooses one; otherwise the first that runs, is new enough and can make an environment.
define RUN
for python in $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11 python); do \
    "$$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || continue; \
    exec "$$python" run.py $(1); \
done; \
echo "The companion needs Python 3.11 or newer with its venv module (on Debian: apt install python3 python3-venv)." >&2; \
exit 1
endef
