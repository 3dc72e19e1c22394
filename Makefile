# Thin front of CMake and Ninja. `make demo` and `make test` set up what they need on a fresh Debian or Ubuntu.
PRESET ?= release
BUILD  := $(if $(filter release,$(PRESET)),build,build-$(PRESET))
PREFIX ?= /usr/local

.PHONY: products all setup demo quick test test-full check bench bench-cliffs bench-suite bench-check fuzz install deb tarball clean format
products: setup
	@scripts/build.sh $(BUILD) $(PRESET) products

all: setup
	@scripts/build.sh $(BUILD) $(PRESET)

setup:
	@scripts/setup.sh

demo: products
	@scripts/demo.sh $(BUILD)

# Unit tests, PTX and the command line: a minute. What a user runs: a few minutes. Everything: as long as it takes.
quick: all
	@scripts/test.sh $(BUILD) -L '^quick$$'

test: all
	@scripts/test.sh $(BUILD) -LE '^full$$'

test-full: all
	@scripts/test.sh $(BUILD)

check: all
	@scripts/check.sh

bench: products
	@bench/run.sh $(BUILD)

# Generated kernels against their twins in C: the worst ratios. SEED=N, COUNT=N: another sample.
bench-cliffs: products
	@bench/cliffs/cliffs.py $(BUILD) --seed $(or $(SEED),1) --count $(or $(COUNT),120)

# Fifty-odd kernels as programmers write them against native C and PoCL.
bench-suite: products
	@bench/suite/run.sh $(BUILD)

# Is this build slower than the commit BASE?
bench-check: products
	@bench/compare.sh $(BUILD) $(or $(BASE),HEAD)

# Random API calls and files of all kinds. MINUTES=N: how long in all; SECONDS_EACH=N: each fuzzer; SEED=N: the first sequence.
fuzz: all
	@scripts/fuzz.sh $(BUILD)

install: products
	@cmake --install $(BUILD) --prefix $(PREFIX)

# Packages of the last commit (docs/packages.md): Debian's, in build-deb; one that runs from any folder, in build-tarball.
deb:
	@scripts/deb.sh

tarball: setup
	@scripts/tarball.sh

format:
	@git ls-files 'src/*.c' 'src/*.h' 'tests/*.c' 'tests/*.h' 'include/*.h' 'bench/*.c' 'bench/*.h' | xargs clang-format-19 -i

clean:
	@rm -rf build build-*
