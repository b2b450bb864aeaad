# SPDX-License-Identifier: Apache-2.0
#
# The only way in: CI calls these same targets. Each does its own set-up, so that nothing has to be done before it.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

RELEASED := .build/release/libre
# What `make bench` measures: stripped, as it is given away. The linker leaves a file in small pieces of memory, from which
# it starts a fifth slower than a copy.
BENCHED := .build/benched
# How long each fuzz target runs: seconds, or a number of inputs with an x.
FUZZ := 60
# Which system `make machine` boots: trixie, bookworm or noble.
SUITE := trixie
# Which tests run with a sanitizer: a pattern; nothing for all.
SANITIZED :=
# The build folder of `make bare`. Another one than .build, because SwiftPM builds everything anew for other traits.
BARE := .build/bare
DEMO := SensorDumps/libre1/active.hex

.PHONY: help setup build optimised demo examples check test everywhere full bombs address thread coverage smoke bare lint format fuzz mutants \
  bench docs man dumps dist deb archive wheel web trial machine release clean

help: ## This list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-11s%s\n", $$1, $$2 }' Makefile

setup: ## Install the Debian packages that are missing (every target does this for itself)
	@tools/install all

build: ## Debug build
	@tools/install build
	@tools/build

optimised: ## Optimised build of the command, with the Swift runtime inside
	@tools/install build
	@tools/optimised

demo: optimised ## Read a simulated sensor into a store, show and draw its values, decode a dump of ours, write a report
	@rm -f .build/demo.sqlite*
	@printf '\n$$ libre read --reader sim:active --store .build/demo.sqlite    (its first 10 lines)\n'
	@$(RELEASED) read --reader sim:active --store .build/demo.sqlite | sed -n 1,10p
	@printf '\n$$ libre latest --store .build/demo.sqlite\n'
	@$(RELEASED) latest --store .build/demo.sqlite
	@printf '\n$$ libre sensor show --store .build/demo.sqlite\n'
	@$(RELEASED) sensor show --store .build/demo.sqlite
	@printf '\n$$ libre plot --store .build/demo.sqlite --width 80\n'
	@$(RELEASED) plot --store .build/demo.sqlite --width 80
	@printf '\n$$ libre decode $(DEMO)\n'
	@$(RELEASED) decode $(DEMO)
	@printf '\n$$ libre inspect $(DEMO)    (its first 24 lines)\n'
	@$(RELEASED) inspect $(DEMO) | sed -n 1,24p
	@printf '\n$$ libre report $(DEMO) --out .build/demo.html\n'
	@$(RELEASED) report $(DEMO) --out .build/demo.html
	@printf '\nThe command is $(RELEASED); open .build/demo.html in a browser.\n'

examples: ## Run the programs in Examples/: those that use libre as a package, and those on Spark, DuckDB and the like
	@tools/install examples
	@for example in Examples/*/Package.swift; do \
	  example=$$(dirname "$$example"); (cd "$$example" && swift run -q "$$(basename "$$example")"); done
	@tools/build --build-tests
	@LIBRE_TESTS=full tools/tested .build/examples.log .build --filter ArchiveExamplesTests

check: ## The unit tests, without another program, a socket or a wait: within a minute after the build
	@tools/install test
	@tools/tier check

test: ## These, the built command and every outside part once: within five minutes after the build
	@tools/install test
	@tools/tier test

everywhere: ## The decoder for C, the browser and two microcontrollers: made, run, and compared with the command's
	@tools/install everywhere
	@tools/everywhere/check

full: ## Everything, for hours: many rounds, bombs, sanitizers, fuzzing, planted faults; tools/full PART for a part of it
	@tools/full

bombs: optimised ## Files made to take all memory, on the release binary: at most 256 MB
	@tools/install test
	@tools/build --build-tests
	@LIBRE_TESTS=full LIBRE_RELEASED="$(CURDIR)/$(RELEASED)" tools/tested .build/bombs.log .build --filter BombTests

address: ## The tests with the address sanitizer, and with undefined behaviour of C as an error
	@tools/install test
	@tools/sanitizers/check address '$(SANITIZED)'

thread: ## The tests with the thread sanitizer
	@tools/install test
	@tools/sanitizers/check thread '$(SANITIZED)'

coverage: ## Which lines of the modules that read untrusted bytes are run by their tests: at least 95 of 100
	@tools/install test
	@tools/coverage

smoke: optimised ## The release binary on every dump of ours
	@tools/smoke $(RELEASED)

bare: ## Build of the command without the C libraries
	@tools/install build
	@tools/build --disable-default-traits --product libre --scratch-path $(BARE)

lint: ## Project lint: rules, formatting, licences
	@tools/install lint
	@tools/check
	@tools/check --self-test
	@swift package --enable-all-traits --force-resolved-versions resolve
	@tools/licences --check

format: ## Format every Swift file
	@tools/install build
	@find Package.swift Sources Tests Examples tools -name .build -prune -o -name '*.swift' -print0 \
	  | xargs -0 swift format -i -p --configuration .swift-format

fuzz: ## Fuzz everything that reads bytes from outside, with the address sanitizer: make fuzz FUZZ=600 or FUZZ=1000x
	@tools/install lint
	@tools/Fuzz/run.sh --regressions
	@tools/Fuzz/run.sh '*' $(FUZZ)

mutants: ## Plant the faults of tools/mutants one at a time; the tests must catch each
	@tools/install test
	@tools/mutants/check

bench: optimised ## Speed of the decoder, the store, the report and the process; memory for many dumps
	@tools/install bench
	@LIBRE_TOOLS=1 tools/build -c release --scratch-path tools/Benchmarks/.build --product Benchmarks \
	  --traits PCSC,LibNFC,CURL,SQLite
	@LIBRE_BENCH_STORE="$(CURDIR)/.build/million.sqlite" tools/Benchmarks/.build/release/Benchmarks
	@strip -o $(BENCHED) $(RELEASED)
	@tools/Benchmarks/store-time.sh $(BENCHED) .build/million.sqlite
	@tools/Benchmarks/report-time $(BENCHED) .build/million.sqlite
	@tools/Benchmarks/process-time.sh $(BENCHED) $(DEMO)
	@tools/Benchmarks/line-speed $(BENCHED)
	@tools/install everywhere
	@tools/everywhere/check >/dev/null
	@tools/everywhere/speed
	@tools/Benchmarks/serve-load $(BENCHED) .build/million.sqlite
	@tools/Benchmarks/peak-memory $(BENCHED)
	@tools/Benchmarks/growth $(BENCHED)
	@tools/Benchmarks/import-time $(BENCHED)

docs: build ## One static site with the documentation of all modules in .build/docs, without a warning or a dead link
	@tools/install lint
	@tools/docs
	@tools/api

man: build ## Manual pages in .build/man, made of what the command says of itself, checked by two formatters
	@tools/install man
	@tools/man

dumps: build ## Hold every dump of ours against its expected output and show what differs
	@tools/install lint
	@tools/dump

dist: ## One binary to give away; its size, its local time and every dump of ours checked; the C library beside it
	@tools/install dist
	@tools/dist
	@tools/packaging/library archive

deb: ## Packages for Debian and Ubuntu, checked with lintian: .build/dist/libre_*.deb, and liblibre-dev_*.deb for C
	@tools/install deb
	@tools/packaging/deb
	@tools/packaging/library deb

archive: ## The same for other distributions, with an install.sh: .build/dist/libre-VERSION-linux-MACHINE.tar.xz
	@tools/install deb
	@tools/packaging/archive

wheel: ## A wheel for Python with the decoder and the command, tried in a bare virtual environment: .build/dist/libre_cgm-*.whl
	@tools/install wheel
	@tools/packaging/wheel
	@tools/packaging/try-wheel

web: ## The decoder as one page for a browser, without a network: .build/web/libre.html
	@tools/install web
	@tools/web

trial: deb archive ## Install, use, upgrade and purge the package in bare Debian 12, 13 and Ubuntu 24.04; needs root and debootstrap
	@tools/packaging/try

machine: deb ## The package on a real machine: a guest of Debian 13 with emulated USB readers; needs root and debootstrap
	@tools/install machine
	@tools/build --product GuestDevices
	@tools/machine/run $(SUITE)

release: ## All files of a release of the version in Program.swift, with their checksums; tags it, publishes nothing
	@tools/install release
	@tools/release

clean: ## Remove everything that was built
	@rm -rf .build tools/*/.build Examples/*/.build
