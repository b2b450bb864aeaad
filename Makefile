# SPDX-License-Identifier: Apache-2.0
#
# The only door: CI calls these same targets. Each does its own set-up, so that nothing has to be done before it.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

RELEASED := .build/release/libre
SECONDS := 60
SANITIZERS := address thread
# A pattern of the tests that run with a sanitizer; nothing for all.
SANITIZED :=
DEMO := SensorDumps/libre1/active.hex

.PHONY: help setup build release test bombs sanitize coverage smoke demo lint format fuzz mutants bench dumps dist clean

help: ## This list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s%s\n", $$1, $$2 }' Makefile

setup: ## Install the Debian packages that are missing (every target does this for itself)
	@tools/install all

build: ## Debug build
	@tools/install build
	@tools/build

release: ## Release build of the command, with the Swift runtime inside
	@tools/install build
	@tools/release

demo: release ## Read a simulated sensor into a store, show and draw its values, decode a dump of ours, write a report
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

# The integration tests run by themselves, one after the other: their emulators have to answer in time, which they cannot
# while others have all cores busy.
test: ## All tests, with every warning an error
	@tools/install test
	@STRICT=1 tools/build --build-tests
	@STRICT=1 tools/tested .build/test.log --skip IntegrationTests
	@STRICT=1 tools/tested .build/test.log --no-parallel --filter IntegrationTests

bombs: release ## Files made to take all memory or time, on the release binary: at most 256 MB and 1 s for each MB
	@tools/install test
	@STRICT=1 tools/build --build-tests
	@STRICT=1 LIBRE_RELEASED="$(CURDIR)/$(RELEASED)" tools/tested .build/test.log --filter BombTests

sanitize: ## The tests with the address sanitizer (and the C's undefined behaviour), then with the thread sanitizer
	@tools/install test
	@for sanitizer in $(SANITIZERS); do tools/sanitizers/check $$sanitizer '$(SANITIZED)'; done

coverage: ## Which lines of the modules that read untrusted bytes are run by their tests: at least 95 of 100
	@tools/install test
	@tools/coverage

smoke: release ## The release binary on every dump of ours
	@tools/smoke $(RELEASED)

lint: ## Project lint, strict build of everything, build without the C libraries
	@tools/install lint
	@tools/check
	@tools/check --self-test
	@STRICT=1 tools/build --build-tests --explicit-target-dependency-import-check error
	@tools/licences --check
	@STRICT=1 tools/build --disable-default-traits

format: ## Format every Swift file
	@tools/install build
	@find Package.swift Sources Tests tools -name .build -prune -o -name '*.swift' -print0 \
	  | xargs -0 swift format -i -p --configuration .swift-format

fuzz: ## Fuzz every door through which bytes come in, with the address sanitizer: make fuzz SECONDS=600
	@tools/install lint
	@tools/Fuzz/run.sh --regressions
	@tools/Fuzz/run.sh '*' $(SECONDS)

mutants: ## Plant the faults of tools/mutants one at a time; the tests must catch each
	@tools/install test
	@tools/mutants/check

bench: release ## Speed of the decoder, the store, the report, the process and a read through PC/SC; memory for many dumps
	@tools/install bench
	@cd tools/Benchmarks && LIBRE_BENCH_STORE="$(CURDIR)/.build/million.sqlite" swift run -c release Benchmarks
	@tools/Benchmarks/store-time.sh $(RELEASED) .build/million.sqlite
	@tools/Benchmarks/report-time $(RELEASED) .build/million.sqlite
	@tools/Benchmarks/process-time.sh $(RELEASED) $(DEMO)
	@tools/Benchmarks/peak-memory $(RELEASED)
	@tools/install test
	@LIBRE_BENCH=1 swift test -c release -Xswiftc -enable-testing --scratch-path .build/bench \
	  --filter PCSCOverheadTests 2>&1 | grep -E '^a full read|error:|✘|Test run'

dumps: build ## Hold every dump of ours against its expected output and show what differs
	@tools/install lint
	@tools/dump

dist: ## One binary to give away; its size, its local time and every dump of ours checked
	@tools/install dist
	@tools/dist

clean: ## Remove everything that was built
	@rm -rf .build tools/*/.build
