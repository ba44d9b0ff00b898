# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

SWIFT ?= swift

# Where things are installed is PREFIX, which make hands on to scripts/bootstrap only where the caller set it.
# Not every shell expands the tilde in `make PREFIX=~/somewhere`.
default_prefix = $(if $(filter 0,$(shell id -u)),/usr/local,$(HOME)/.local)
prefix = $(DESTDIR)$(patsubst ~/%,$(HOME)/%,$(or $(PREFIX),$(default_prefix)))
libexec = $(prefix)/libexec/sensitive-content-analysis

# Programs look in the usual prefixes by themselves; what was put elsewhere has to be pointed at.
ifneq ($(PREFIX),)
export SCA_OPENVINO ?= $(abspath $(prefix))/lib/sensitive-content-analysis/openvino
export SCA_MODELS ?= $(abspath $(prefix))/share/sensitive-content-analysis/models
endif

# Scripts that `make test` runs after the unit tests, in this order, and those that want the release build.
INTEGRATION_TESTS := $(addprefix IntegrationTests/,test-ordinary-user test-failure-codes test-killed-decoder \
	test-killed-host test-hostile-files test-misbehaving-decoder test-no-media-parser-in-host test-sandbox test-missing-layers test-parental-controls \
	test-video-pairs test-video-progress test-intervention-terminal)
RELEASE_TESTS := $(addprefix IntegrationTests/,test-large-picture test-memory-growth \
	test-parental-controls test-second-package)

# The command carries Swift's libraries in itself: it then starts faster, and runs where no Swift is installed.
RELEASE := -c release --static-swift-stdlib

# Executables that the command and apps start; they are installed under libexec.
HELPERS := sca-image-decoder sca-video-decoder

.DEFAULT_GOAL := help
.PHONY: help run test build install uninstall test-sanitize format lint check integration-release conformance \
	documentation benchmark-peers clean distclean

help: ## list these targets
	@echo "usage: make TARGET [PREFIX=FOLDER]"
	@echo
	@sed -n 's/^\([a-z-]*\):.* ## \(.*\)/\1|\2/p' Makefile | awk -F'|' '{ printf "  %-16s %s\n", $$1, $$2 }'

run: ## install what is missing, build, and judge real photographs and a test pattern
	scripts/bootstrap --for run
	$(SWIFT) build $(RELEASE)
	scripts/run-demonstration

test: ## install what is missing, build, and run all tests
	scripts/bootstrap --for test
	$(SWIFT) build
	$(SWIFT) test --disable-xctest
	@set -e; for each in $(INTEGRATION_TESTS); do echo "== $$each"; "$$each"; done

build: ## install what building needs, and make the release build
	scripts/bootstrap --for build
	$(SWIFT) build $(RELEASE)

# Does not build, so that `sudo make install` needs no Swift and leaves no root-owned files in the checkout.
install: ## install the command, its helpers, OpenVINO and the model below PREFIX (after make build)
	@for each in sca $(HELPERS); do test -x .build/release/$$each || \
		{ echo "make install: .build/release/$$each is missing: run \"make build\" first." >&2; exit 1; }; done
	@# A package (DESTDIR) leaves OpenVINO and the model to whoever installs it.
	$(if $(DESTDIR),,scripts/bootstrap --for install)
	install -d -m 0755 "$(prefix)/bin" "$(libexec)"
	install -m 0755 .build/release/sca "$(prefix)/bin/sca"
	install -m 0755 $(HELPERS:%=.build/release/%) "$(libexec)"

uninstall: ## remove what install put below PREFIX; models that you added stay
	rm -f "$(prefix)/bin/sca"
	rm -rf "$(libexec)" "$(prefix)/lib/sensitive-content-analysis/openvino"
	rm -rf "$(prefix)/share/sensitive-content-analysis/models/open-nsfw"
	@for each in "$(prefix)/share/sensitive-content-analysis/models" "$(prefix)/share/sensitive-content-analysis" \
		"$(prefix)/lib/sensitive-content-analysis"; do test ! -d "$$each" || rmdir --ignore-fail-on-non-empty "$$each"; done

# Leaks are those of OpenVINO and of Swift's own runtime, and the sanitizer's own list of thread-local memory, which is for finding
# them, crashes; TBB would load a library in a way that sanitizers refuse.
test-sanitize: export ASAN_OPTIONS = detect_leaks=0:intercept_tls_get_addr=0:suppressions=$(CURDIR)/Tests/Sanitizers/address-suppressions.txt
test-sanitize: export TBB_ENABLE_SANITIZERS = 1
test-sanitize: ## run the unit tests with the address sanitizer, and those of concurrency with the thread sanitizer
	scripts/bootstrap --for test
	$(SWIFT) test --sanitize=address --disable-xctest --scratch-path .build-asan
	scripts/sanitize-threads

format: ## format all Swift files
	scripts/check-format --fix

lint: ## check the format of Swift files and shell scripts
	scripts/check-format
	scripts/check-shell

check: ## run every check of the code's form, and the checks' own tests
	@set -e; for each in scripts/check-* scripts/test-*; do echo "== $$each"; "$$each"; done

integration-release: ## run the tests that want the release build, and an app that depends on the package
	scripts/bootstrap --for test
	$(SWIFT) build $(RELEASE)
	@set -e; for each in $(RELEASE_TESTS); do echo "== $$each"; SCA_BUILD=.build/release "$$each"; done

conformance: ## compare scores with an independent implementation
	scripts/bootstrap --for conformance
	$(SWIFT) build --build-tests
	IntegrationTests/conformance/run
	IntegrationTests/openvino-declarations/run

# In a folder of its own: the documentation tool is a dependency of nothing else.
documentation: ## build the documentation of the libraries, with warnings as errors
	@set -e; for each in SensitiveContentAnalysis InterventionKit; do \
		SCA_DOCUMENTATION=1 $(SWIFT) package --scratch-path .build-documentation --disable-sandbox \
			generate-documentation --target $$each --warnings-as-errors --analyze; done

benchmark-peers: ## compare speed and memory with peers; ARGUMENTS=... are handed on
	scripts/bootstrap --for conformance
	$(SWIFT) build $(RELEASE)
	python3 Benchmarks/peers/compare.py $(ARGUMENTS)

clean: ## remove build products; fetched packages stay
	$(SWIFT) package clean
	rm -rf .build-*

distclean: ## remove everything that was built or fetched in this folder
	rm -rf .build .build-* .swiftpm Package.resolved
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
