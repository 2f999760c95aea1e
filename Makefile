# make play: set up and play · make test: set up and run every test · make help: the rest

PYTHON ?= python3
BIN := .venv/bin
RUN := $(BIN)/python
unexport PYTHONDONTWRITEBYTECODE # servers start by the hundred in the tests: sources are read once

.DEFAULT_GOAL := help
.PHONY: help play test test-python test-web check page generated warmup bench arena bot-ratings calibration load soak siege cluster mutants floor deploy-check docs release lock audit libraries clean

help: ## what you can make
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

play: page ## set everything up and play on http://localhost:8000
	@$(BIN)/ludoteca serve --open

page: ready
	@$(RUN) tools/build_page.py

.PHONY: ready ready-test
ready:
	@$(PYTHON) tools/prepare.py python

ready-test:
	@$(PYTHON) tools/prepare.py python check test
	@$(PYTHON) tools/prepare.py chromium
	@$(PYTHON) tools/prepare.py services

test: ready-test test-web test-python ## set everything up and run every test (Python, web, real browser)

test-python:
	@$(BIN)/ludoteca warmup
	@$(RUN) tools/run_tests.py

test-web:
	@$(RUN) tools/build_page.py check test size

check: ## formatting, lint, types, import directions (Python and web)
	@$(PYTHON) tools/prepare.py python check test
	@$(BIN)/ruff format --check src tests tools examples
	@$(BIN)/ruff check src tests tools examples
	@$(BIN)/mypy
	@$(RUN) tools/build_page.py lint
	@$(RUN) -m pytest -q tests/test_imports.py

generated: ready ## write what follows from declarations: the page's types, the tables in the docs
	@$(RUN) tools/generate.py

warmup: ready ## compile every game's rules ahead of the first use
	@$(BIN)/ludoteca warmup

bench: ready ## measure speed
	@$(BIN)/ludoteca bench

arena: ready ## the bots' levels against each other, 400 games a pair: writes the table of docs/performance.md
	@$(RUN) tools/arena.py

bot-ratings: ready ## measure the bots for ratings, for each game and number of seats (hours): docs/ratings.md
	@$(RUN) tools/rate_bots.py

calibration: ready ## chances that reviews say against games won, 500 games of each: docs/calibration.json, its plot and table (minutes)
	@$(RUN) tools/calibration.py

load: ready ## the server under load, on this machine only: make load GAME=…
	@$(RUN) -m ludoteca.lab.load $(GAME)

soak: ready-test ## the tests of server and games, with 500 times kill -9 under players of all games, and bounds checked
	@LUDOTECA_KILLS=500 LUDOTECA_BOUNDS=1 $(RUN) -m pytest -q tests/server tests/games
	@$(RUN) -m pytest -q -m long

siege: ready-test ## every attack we know against a real server on this machine, with what was promised beside it
	@$(BIN)/ludoteca warmup
	@PYTHONPATH=tests $(RUN) -m siege

cluster: ready-test ## three servers on Postgres and Redis behind a balancer: what happens when one of them dies
	@$(BIN)/ludoteca warmup
	@PYTHONPATH=tests $(RUN) -m cluster

studio: ready-test ## how quick the studio is with a new deck, in a browser and on the command line (a quiet machine)
	@$(BIN)/ludoteca warmup
	@PYTHONPATH=tests $(RUN) -m web.studio_bars

libraries: ## the lines of docs/libraries.md with each library installed, in environments of their own (downloads PyTorch twice)
	@$(PYTHON) -m venv build/libraries
	@build/libraries/bin/pip install -q torch==2.13.0 # the one that all of them ran with
	@build/libraries/bin/pip install -q -e ".[envs,openspiel]" pytest sb3-contrib torchrl tianshou "minari[hdf5]" supersuit "ray[rllib]"
	@build/libraries/bin/python -m pytest -q -rs tests/envs/test_libraries.py
	@$(PYTHON) -m venv build/agilerl # it wants a PettingZoo and a tensordict of its own
	@build/agilerl/bin/pip install -q torch==2.13.0
	@build/agilerl/bin/pip install -q -e ".[envs]" pytest agilerl peft # its 2.58 imports peft without asking for it
	@build/agilerl/bin/python -m pytest -q -rs tests/envs/test_libraries.py -k AgileRL

mutants: ready-test ## rules broken in one place at a time: how many of these mutants do the tests kill?
	@$(RUN) tools/mutants.py

floor: ## the contract of all games with the lowest and the newest versions of everything, on every Python there is
	@$(PYTHON) tools/floor.py

deploy-check: ready-test ## the image's steps without Docker, in an empty folder, and all other checks of deploy/ (minutes)
	@$(RUN) tools/deploy_check.py
	@$(RUN) -m pytest -q tests/test_deploy.py

docs: ## build the site of the docs into build/site; a link that leads nowhere is an error
	@$(PYTHON) tools/prepare.py python docs
	@$(BIN)/mkdocs build --strict --quiet
	@echo "build/site/index.html"

release: ## build what would be published for the tag on this commit, and try it on every Python there is (publishes nothing)
	@$(PYTHON) tools/release.py

lock: ## write requirements.lock: what a server installs, with hashes (asks a package registry)
	@$(PYTHON) tools/lock.py

audit: ## known holes in what we use, where the network allows to ask
	@$(PYTHON) tools/audit.py

clean: ## delete what was built (not your games)
	@rm -rf web/node_modules src/ludoteca/page .venv build dist
