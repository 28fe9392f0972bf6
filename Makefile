# make site     the documentation and the playground in docs/site/.vitepress/dist, for any static host, under any path
# make embed    puts the page where the next plain go build of the command line takes it
# make build    bin/rubric, with the WebAssembly evaluator and the playground in it
# make test     sets up and runs every test: the following seven, two at a time
# make unit     the tests in Go
# make npm      the npm package: its types and its tests in Node and in Chromium
# make protocol the language server's messages against the protocol's published types
# make editors  a session in each of Neovim, Emacs, Vim and Helix
# make playground  the playground: its types and its tests in Chromium
# make docs     the documentation site and its tests in Chromium: links, search, phone width
# make vscode   the VS Code extension: its types and its tests in a real workbench
# make vscode-packages  the VS Code extension for every platform and for the web
# make soak     edits of a document against opening it, 100,000 times; a run that is killed 50 times;
#               every parity request; the race detector on the long tests
# make trials   a run by workers that are killed, partitioned and rejected, and 100,000 cases over 8 workers, for docs/SCALE.md: half an hour
# make check    what a change must pass beside its tests: vet, staticcheck, generated files, race
# make generate writes every derived file
# make prices LIST=FILE DATE=YYYY-MM-DD  writes the table of prices: prices/data.json of that day, of github.com/pydantic/genai-prices
# make fuzz     each fuzz target for FUZZTIME, a minute in all by default
# make fuzz-nightly  each fuzz target for ten minutes
# make fuzz-keep  adds the inputs that fuzzing found, where they cover more, to testdata
# make mutate   mutation testing of what decides on a verdict: an hour or more
# make agentv   the same project through AgentV's command line and rubric, compared; it installs AgentV from npm
# make bench    the benchmarks
# make compare REVISION=main  how outputs for all eval files and help pages of the repository differ from those of REVISION
# make journeys how many functions a keystroke and a check enter
# make vulncheck  asks the Go vulnerability database about the code
# make release-check  builds a release twice, without publishing it, and installs what this machine can install
# make help     this list

GO         ?= go
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
FUZZTIME   ?= 2s
# Tests allocate much and hold little, so that the collector takes half of their time at Go's 100. `make check` runs
# all of go vet; before each lane it would run a part of it again.
TEST        = GOGC=800 $(GO) test -timeout 1h -vet=off
# The protocol's messages as a JSON Schema, made of the published types.
TYPES       = lsp/lsptest/published/lsp.json
# The playground's page, compressed, and where the command line takes it from. Left behind there,
# it would be of older source by the next build.
PACKED      = editors/playground/packed
SITE        = cmd/internal/host/page/site
# The version of a release. Without it, Go's build information tells.
VERSION     ?=
LDFLAGS     = -s -w $(if $(VERSION),-X github.com/rubric-ls/rubric/wasm/api.Version=$(VERSION))

.PHONY: help build embed modules test unit npm types tap protocol editors page site docs programs playground vscode vscode-packages soak trials check vet staticcheck generated race generate prices fuzz fuzz-nightly fuzz-keep mutate corpus agentv bench compare journeys cover vulncheck release-check

# Without C the command line needs no loader and no library.
build: embed
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/rubric ./cmd/rubric
	rm -rf $(SITE)/*

# Puts the page, with the evaluator's module, where the next build of the command line takes it.
embed: page
	rm -rf $(SITE)/*
	cp -r $(PACKED)/. $(SITE)
	rm $(SITE)/assets/rubric-small-*.wasm.gz # cmd/internal/host/page serves the whole evaluator in its place

help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile

modules:
	RUBRIC_VERSION=$(VERSION) $(GO) run ./cmd/gen modules

# What several lanes need is installed and built first. The lanes leave the source's folders
# alone, so that two of them can run at a time: browsers and editors wait most of the time.
test: programs types tap
	editors/test/chromium.sh
	editors/test/setup.sh editors/test/unpacked
	$(MAKE) -j2 --output-sync=target -o modules -o page -o programs -o types -o tap playground unit vscode npm editors protocol docs

# Go stops a package after ten minutes, which a busy machine may need: TEST allows an hour.
unit:
	$(GO) mod download
	$(TEST) ./...
	@$(TEST) -count=1 -v -run 'TestConformance$$' ./cmd/internal/conformance | grep '^conformance:'

npm: modules
	cd wasm/npm && ./check.sh

types:
	cd $(dir $(TYPES)) && npm ci --ignore-scripts --no-audit --no-fund && node derive.mjs $(notdir $(TYPES))

protocol: types
	LSP_PUBLISHED_TYPES=$(CURDIR)/$(TYPES) $(TEST) -count=1 ./lsp

tap:
	cd editors/tap && npm ci --ignore-scripts --no-audit --no-fund

# The command line with the page in it for the page's tests, and without it for the editors'.
programs: embed
	$(GO) build -o editors/playground/test/bin/rubric ./cmd/rubric
	rm -rf $(SITE)/*
	$(GO) build -o editors/test/bin/rubric ./cmd/rubric

editors: programs types tap
	editors/test/setup.sh editors/test/unpacked
	editors/test/all.sh editors/test/bin/rubric editors/test/unpacked $(TYPES)

page: modules
	cd editors/playground && npm ci --ignore-scripts --no-audit --no-fund && npm run build && node pack.mjs $(CURDIR)/$(PACKED)

playground: programs
	editors/playground/check.sh

docs: page
	docs/site/check.sh

site: page
	cd docs/site && npm ci --ignore-scripts --no-audit --no-fund && npm run build && node compress.mjs .vitepress/dist

vscode: programs types tap
	editors/vscode/check.sh

# The playground is not in the extension's server, whatever an earlier build left.
vscode-packages: modules
	rm -rf $(SITE)/*
	editors/vscode/package.sh

soak:
	$(GO) test -count=1 -timeout 2h -run '^TestEditsEqualReopening$$' ./lsp -edits 100000
	$(GO) test -count=1 -timeout 2h -run '^TestEditsEqualFull$$' ./core/analysis -edits 100000
	$(GO) test -count=1 -timeout 2h -run '^TestKilled$$' ./cmd/internal/cli -kills 50
	$(GO) test -count=1 -timeout 2h -run '^TestParity$$' ./cmd/internal/host/evaluator -all
	$(GO) test -timeout 2h -race ./...

trials:
	$(GO) test -count=1 -timeout 2h -v -run '^TestQueue(Trial|Throughput)$$' ./cmd/internal/cli -trials

check: vet staticcheck generated race

# TestOtherSystems checks the types for Windows and macOS.
vet:
	test -z "$$(gofmt -l cmd core lsp wasm)"
	$(GO) vet ./...

staticcheck:
	GOGC=300 $(GO) run $(STATICCHECK) ./...

generated: generate
	git diff --exit-code

generate:
	$(GO) run ./cmd/gen
	$(GO) test ./cmd/gen -run '^TestParity$$' -update

prices:
	$(GO) run ./cmd/gen prices $(LIST) $(DATE)

# The race detector runs where goroutines start or values are locked. The tests of cmd/rubric start the
# program some 500 times, which takes four minutes with it; those of cmd/internal/cli run the same commands in one process.
race:
	$(TEST) -race -short $$($(GO) list -race -f '{{.Dir}}' ./... | grep -v '/cmd/rubric$$' | \
	  while read -r dir; do ! grep -qE '"sync|go func|\.Go\(func|\.Parallel\(\)' "$$dir"/*.go || echo "$$dir"; done)

fuzz:
	.ci/fuzz $(FUZZTIME)

fuzz-nightly:
	.ci/fuzz 10m

fuzz-keep:
	.ci/fuzz-keep

mutate:
	.ci/mutate

corpus:
	RUBRIC_CORPUS=$(abspath $(SHARED)) $(GO) test ./core/... ./cmd/internal/... ./wasm/api

agentv:
	.ci/agentv

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./...

compare:
	.ci/compare $(REVISION)

journeys:
	.ci/journeys

cover:
	$(GO) test -coverpkg=./core/... -coverprofile=cover.out ./...
	$(GO) tool cover -func=cover.out | tail -1

vulncheck:
	.ci/vulncheck

release-check:
	.ci/release/check.sh --twice
