# Thin front of CMake and Ninja. `make demo` and `make test` set up what they need on a fresh Debian or Ubuntu.
PRESET ?= release
BUILD  := $(if $(filter release,$(PRESET)),build,build-$(PRESET))
PREFIX ?= /usr/local

.PHONY: products all configure setup demo test check bench install clean format
products: configure
	@cmake --build $(BUILD) --target products

all: configure
	@cmake --build $(BUILD)

configure: setup
	@cmake --preset $(PRESET) $(if $(wildcard $(BUILD)/build.ninja),> /dev/null)

setup:
	@scripts/setup.sh

demo: products
	@scripts/demo.sh $(BUILD)

test: all
	@ctest --test-dir $(BUILD) --output-on-failure -j $$(nproc)

check: all
	@scripts/check.sh

bench: products
	@bench/run.sh $(BUILD)

install: products
	@cmake --install $(BUILD) --prefix $(PREFIX)

format:
	@git ls-files 'src/*.c' 'src/*.h' 'tests/*.c' 'tests/*.h' 'include/*.h' 'bench/*.c' 'bench/*.h' | xargs clang-format-19 -i

clean:
	@rm -rf build build-*
