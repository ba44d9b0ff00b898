# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

SWIFT ?= swift

# Where things are installed is PREFIX, which make hands on to scripts/bootstrap only where the caller set it.
# Not every shell expands the tilde in `make PREFIX=~/somewhere`.
default_prefix = $(if $(filter 0,$(shell id -u)),/usr/local,$(HOME)/.local)
prefix = $(DESTDIR)$(patsubst ~/%,$(HOME)/%,$(or $(PREFIX),$(default_prefix)))
libexec = $(prefix)/libexec/sensitive-content-analysis
completions := bash-completion/completions zsh/site-functions fish/vendor_completions.d

# Programs look in the usual prefixes by themselves; what was put elsewhere has to be pointed at.
ifneq ($(PREFIX),)
export SCA_OPENVINO ?= $(abspath $(prefix))/lib/sensitive-content-analysis/openvino
export SCA_MODELS ?= $(abspath $(prefix))/share/sensitive-content-analysis/models
endif

# The command carries Swift's libraries in itself: it then starts faster, and runs where no Swift is installed.
RELEASE := -c release --static-swift-stdlib
# Without the programs and modules of tests.
BUILD_PROGRAMS = SCA_WITHOUT_TESTS=1 $(SWIFT) build $(RELEASE)

# Executables that the command and apps start; they are installed under libexec.
HELPERS := sca-image-decoder sca-video-decoder sca-model-runner sca-pipewire-source sca-model-importer sca-media-encoder

# Only what stands on the command line of make counts.
ARGUMENTS =

.DEFAULT_GOAL := help
.PHONY: help run test test-all build build-tests install deb tarball uninstall sanitize-address sanitize-threads format lint check \
	conformance documentation benchmark-peers clean distclean

help: ## list these targets
	@echo "usage: make TARGET [PREFIX=FOLDER]"
	@echo
	@sed -n 's/^\([a-z-]*\):.* ## \(.*\)/\1|\2/p' Makefile | awk -F'|' '{ printf "  %-16s %s\n", $$1, $$2 }'

run: ## install what is missing, build, and judge real photographs and a test pattern
	scripts/bootstrap --for run
	$(BUILD_PROGRAMS)
	scripts/run-demonstration

test: ## install what is missing, build, and run the gate: every check, and the smallest test of every property; ARGUMENTS=--keep-going
	@# The gate is a program in Python.
	@command -v python3 >/dev/null || scripts/bootstrap --for test
	scripts/run-gate $(ARGUMENTS)

test-all: ## run the long list of tests, where it stopped; PART=NAME runs one part (docs/testing.md)
	scripts/run-campaign $(PART)

build-tests: ## install what is missing, and make the release build with tests that make test uses
	scripts/bootstrap --for test
	SWIFT="$(SWIFT)" scripts/build-tests --scratch-path .build-tests

build: ## install what building needs, and make the release build
	scripts/bootstrap --for build
	$(BUILD_PROGRAMS)

# Does not build, so that `sudo make install` needs no Swift and leaves no root-owned files in the checkout.
install: ## install the command, its helpers, OpenVINO and the model below PREFIX (after make build)
	@for each in sca $(HELPERS); do test -x .build/release/$$each || \
		{ echo "make install: .build/release/$$each is missing: run \"make build\" first." >&2; exit 1; }; done
	@# A package (DESTDIR) leaves OpenVINO and the model to whoever installs it.
	$(if $(DESTDIR),,scripts/bootstrap --for install)
	install -d -m 0755 "$(prefix)/bin" "$(libexec)"
	install -m 0755 .build/release/sca "$(prefix)/bin/sca"
	install -m 0755 $(HELPERS:%=.build/release/%) "$(libexec)"
	scripts/build-manual .build/release/sca "$(prefix)/share/man"
	@# Completions for bash, zsh and fish, where these shells look for them.
	install -d -m 0755 $(completions:%="$(prefix)/share/%")
	.build/release/sca --generate-completion-script bash >"$(prefix)/share/bash-completion/completions/sca"
	.build/release/sca --generate-completion-script zsh >"$(prefix)/share/zsh/site-functions/_sca"
	.build/release/sca --generate-completion-script fish >"$(prefix)/share/fish/vendor_completions.d/sca.fish"
	@# For all accounts: one under Communication Safety uses no copy that it has made itself.
	$(if $(DESTDIR),,test ! -d "$(prefix)/share/sensitive-content-analysis/models/open-nsfw" || \
		"$(prefix)/bin/sca" model compile --prefix "$(prefix)")

deb: ## install what packages need, build, and make Debian packages for this release of Debian in .build/packages
	scripts/bootstrap --for deb
	$(BUILD_PROGRAMS)
	scripts/build-packages deb

tarball: build ## make an archive in .build/packages, which runs in any folder on this release of Debian
	scripts/build-packages tar

uninstall: ## remove what install put below PREFIX; models that you added stay
	rm -f "$(prefix)/bin/sca" "$(prefix)/share/bash-completion/completions/sca" \
		"$(prefix)/share/zsh/site-functions/_sca" "$(prefix)/share/fish/vendor_completions.d/sca.fish"
	rm -f "$(prefix)"/share/man/man1/sca.1 "$(prefix)"/share/man/man1/sca-*.1 "$(prefix)"/share/man/man7/sca-*.7
	@for each in $(completions) $(dir $(completions)) man/man1 man/man7 man; do \
		test ! -d "$(prefix)/share/$$each" || rmdir --ignore-fail-on-non-empty "$(prefix)/share/$$each"; done
	rm -rf "$(libexec)" "$(prefix)/lib/sensitive-content-analysis/openvino" "$(prefix)/lib/sensitive-content-analysis/compiled"
	rm -rf "$(prefix)/share/sensitive-content-analysis/models/open-nsfw"
	@for each in "$(prefix)/share/sensitive-content-analysis/models" "$(prefix)/share/sensitive-content-analysis" \
		"$(prefix)/lib/sensitive-content-analysis"; do test ! -d "$$each" || rmdir --ignore-fail-on-non-empty "$$each"; done

# Leaks are those of OpenVINO and of Swift's own runtime, and the sanitizer's own list of thread-local memory, which is for finding
# them, crashes; TBB would load a library in a way that sanitizers refuse.
sanitize-address: export ASAN_OPTIONS = detect_leaks=0:intercept_tls_get_addr=0:suppressions=$(CURDIR)/Tests/Sanitizers/address-suppressions.txt
sanitize-address: export TBB_ENABLE_SANITIZERS = 1
sanitize-address: ## run the unit tests with the address sanitizer
	scripts/bootstrap --for test
	$(SWIFT) build --build-tests --sanitize=address --scratch-path .build-asan
	SCA_BUILD=$(CURDIR)/.build-asan/debug scripts/run-tests --slowest 20

sanitize-threads: ## run the tests of concurrency with the thread sanitizer
	scripts/bootstrap --for test
	scripts/sanitize-threads

format: ## format all Swift files
	scripts/check-format --fix

lint: ## check the format of Swift files and shell scripts
	scripts/check-format
	scripts/check-shell

check: build-tests ## run every check of the code's form, and the checks' own tests
	@set -e; for each in scripts/check-*; do echo "== $$each"; "$$each"; done
	scripts/plant-faults --check
	scripts/test-checks

conformance: build-tests ## compare scores with an independent implementation
	IntegrationTests/conformance/run --all
	IntegrationTests/openvino-declarations/run

documentation: build-tests ## build the documentation of the libraries, with warnings as errors
	scripts/build-documentation

benchmark-peers: ## compare speed and memory with peers; ARGUMENTS=... are handed on
	scripts/bootstrap --for conformance
	$(BUILD_PROGRAMS)
	python3 Benchmarks/peers/compare.py $(ARGUMENTS)

clean: ## remove build products; fetched packages stay
	$(SWIFT) package clean
	rm -rf .build-*

distclean: ## remove everything that was built or fetched in this folder
	rm -rf .build .build-* .swiftpm Package.resolved
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
