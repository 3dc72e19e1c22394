# Thin front of CMake and Ninja. `make demo` and `make test` set up what they need on a fresh Debian or Ubuntu.
PRESET ?= release
BUILD  := $(if $(filter release,$(PRESET)),build,build-$(PRESET))
PREFIX ?= /usr/local

.PHONY: all setup demo test check bench install clean format
all: setup
	@cmake --preset $(PRESET) $(if $(wildcard $(BUILD)/build.ninja),> /dev/null)
	@cmake --build $(BUILD)

setup:
	@scripts/setup.sh

demo: all
	@scripts/demo.sh $(BUILD)

test: all
	@ctest --test-dir $(BUILD) --output-on-failure -j $$(nproc)

check: all
	@scripts/check.sh

bench: all
	@bench/run.sh $(BUILD)

install: all
	@cmake --install $(BUILD) --prefix $(PREFIX)

format:
	@git ls-files '*.c' '*.h' '*.cu' '*.cuh' | xargs clang-format-19 -i

clean:
	@rm -rf build build-*
