# What one does with this package, one word each; `make help` lists them. Recipes of more than a few
# lines live in Scripts/. Each kind of build has a scratch folder of its own, so that switching
# between them rebuilds nothing.

.DEFAULT_GOAL := help
.PHONY: run test test-tsan test-crash test-playground lint format docs bench bench-peers \
  bench-postgres bench-service compare-lists fuzz-service results searches clean help

# One recipe at a time: two builds at once only share the cores.
.NOTPARALLEL:

# Where recorded data lie for the experiments that need them; without it, those are left out.
DATA ?= $(wildcard ../shared/data)

# Terminal escapes would end up in logs.
export NO_COLOR := 1

PREPARE := Scripts/install-missing.sh
RELEASE := swift build -c release --product cardfeed --scratch-path .build-release
CARDFEED := .build-release/release/cardfeed

run: ## install what is missing, build release, run an experiment, deal a hand from an SQLite file
	@$(PREPARE)
	$(RELEASE)
	@Scripts/run.sh $(CARDFEED)

test: ## build in debug with everything switched on, run all tests, build a project that imports it
	@$(PREPARE) tests
	@Scripts/test.sh
	@Scripts/test-import.sh

test-tsan: ## run the tests with Concurrency in their names under the thread sanitizer
	@$(PREPARE) tests
	@Scripts/test-tsan.sh

test-crash: ## kill the embedded store's process 200 times and look for what is missing
	@$(PREPARE) tests
	@CARDFEED_CRASH_ROUNDS=200 Scripts/test.sh --filter StoreCrashTests

test-playground: ## swipe in a headless Chromium; PICTURES=DIR keeps screenshots, PROGRAM=FILE is not built
ifeq ($(PROGRAM),)
	@$(PREPARE)
	swift build --product cardfeed
endif
	@Scripts/test-playground.sh $(or $(PROGRAM),.build/debug/cardfeed) $(if $(PICTURES),--screenshots $(PICTURES))

lint: ## check format, bans and scripts; changes nothing
	@Scripts/lint.sh

format: ## rewrite the Swift files in the package's format
	@Scripts/swift-files.sh swift format format --in-place --parallel

docs: ## build the reference of every module into docs/site/
	@$(PREPARE) traits
	@Scripts/docs.sh

bench: ## measure speed, as ratios, and count allocations
	@$(PREPARE)
	$(RELEASE)
	$(CARDFEED) bench perf
	$(CARDFEED) bench store

bench-peers: ## measure speed beside faiss, hnswlib, implicit, NumPy and C (PEERS=DIR GRAPH_ROWS=200000)
	@$(PREPARE) traits
	$(RELEASE) --enable-all-traits
	@Scripts/bench-peers.sh $(CARDFEED) $(or $(PEERS),.build-peers) $(or $(GRAPH_ROWS),200000)

bench-postgres: ## measure the shared store on a PostgreSQL server of its own (SWIPES=5000000)
	@$(PREPARE) tests
	$(RELEASE) --enable-all-traits
	@Scripts/bench-postgres.sh $(CARDFEED) $(if $(SWIPES),--swipes $(SWIPES))

bench-service: ## measure hands and durable swipes over HTTP (OPTIONS="--rounds 9"; --help lists them)
	@$(PREPARE) wrk
	$(RELEASE)
	@Scripts/bench-service.sh $(CARDFEED) $(OPTIONS)

results: ## rewrite datasets/RESULTS.md: every figure with the command that prints it (DATA=DIR)
	@$(PREPARE) traits
	$(RELEASE) --enable-all-traits
	@Scripts/results.sh $(CARDFEED) $(DATA)

compare-lists: ## score lists of experiments by another program, in ../shared (DATA=DIR)
	@$(PREPARE) traits
	$(RELEASE) --enable-all-traits
	@Scripts/compare-lists.py $(CARDFEED) "$(DATA)"

fuzz-service: ## attack the service over raw sockets (REQUESTS=100000 SEED=2)
	@$(PREPARE)
	$(RELEASE)
	@Scripts/fuzz-service.py $(CARDFEED) $(if $(REQUESTS),--requests $(REQUESTS)) $(if $(SEED),--seed $(SEED))

searches: ## rewrite datasets/SEARCHES.md: what was tried and did not help (DATA=DIR; half an hour)
	@$(PREPARE) traits
	$(RELEASE) --enable-all-traits
	@Scripts/results.sh $(CARDFEED) "$(DATA)" searches

clean: ## remove everything that was built or written by these commands
	rm -rf .build .build-* docs/site results

help: ## list these commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1|\2/p' Makefile | \
	  while IFS='|' read -r name text; do printf '%-16s %s\n' "$$name" "$$text"; done
