#!/bin/sh
# What a build and its tests do not show: formatting, headers that compile alone, modules that only use what they may, names
# of files, the unit tests under sanitizers, and the driver and the runtime under the thread sanitizer.
# usage: scripts/check.sh [quick | threads]   quick: without the sanitizers; threads: the thread sanitizer alone
set -u
cd "$(dirname "$0")/.."
failed=0
note() { printf '%s\n' "$*"; }
fail() { printf 'FAILED: %s\n' "$*"; failed=1; }

# git's list where there is one, so that build folders do not count
sources() { git ls-files "$@" 2> /dev/null || find . -name build\* -prune -o -type f -print | sed 's,^\./,,'; }

check_format()
{
    files=$(sources 'src/*.c' 'src/*.h' 'tests/*.c' 'tests/*.h' 'include/*.h' 'bench/*.c')
    bad=$(printf '%s\n' $files | xargs clang-format-19 --dry-run 2>&1 | sed -n 's/^\([^: ]*\):[0-9]*:[0-9]*: .*clang-format-violations.*/\1/p' | sort -u)
    [ -z "$bad" ] && note "format: ok" || fail "make format would change:" $bad
}

# One SPDX line in each C file, and no file name twice, so that a name says which file is meant.
check_files()
{
    for f in $(sources 'src/*.c' 'src/*.h' 'src/*.def'); do
        head -1 "$f" | grep -q 'SPDX-License-Identifier: Apache-2.0' || fail "$f: no SPDX line at its top"
    done
    twice=$(sources 'src/*' | sed 's,.*/,,' | sort | uniq -d)
    [ -z "$twice" ] || fail "file names that exist twice: $twice"
    # inih has room for 198 bytes of a line; newer versions refuse longer ones, older ones cut them
    long=$(LC_ALL=C awk 'length > 198 { print FILENAME ":" FNR }' gpus/*.ini)
    [ -z "$long" ] || fail "lines of more than 198 bytes: $long"
    note "files: checked"
}

# Length of lines and words of README.md and docs/.
check_docs()
{
    scripts/check_docs.py > /tmp/check.$$ && note "docs: ok" || { fail "documents"; cat /tmp/check.$$; }
    rm -f /tmp/check.$$
}

# Sources of the constants of models and advice.
check_constants()
{
    scripts/check_constants.py > /tmp/check.$$ && note "constants: ok" || { fail "constants"; cat /tmp/check.$$; }
    rm -f /tmp/check.$$
}

# Sums and products of what programs give.
check_arithmetic()
{
    scripts/check_arithmetic.py > /tmp/check.$$ && note "arithmetic: ok" || { fail "arithmetic"; cat /tmp/check.$$; }
    rm -f /tmp/check.$$
}

# Files of a module that call each other.
check_cycles()
{
    scripts/check_cycles.py > /tmp/check.$$ && note "cycles of files: ok" || { fail "cycles of files"; cat /tmp/check.$$; }
    rm -f /tmp/check.$$
}

# Each header with nothing before it, seeing only its own module and the modules of cmake/Modules.cmake. Modules see each other
# through staged folders, so a header of a module that may not be used does not exist here either.
check_headers()
{
    stage=build/stage
    [ -d $stage ] || { fail "no build: run make first"; return; }
    for header in $(sources 'src/*.h'); do
        module=$(dirname "${header#src/}")
        includes="-Isrc/$module -I$stage/$module"
        for used in $(sed -n "s,^sw_module($module ,,p" cmake/Modules.cmake | tr -d ')' | sed 's/#.*//'); do
            [ -d "$stage/$used" ] && includes="$includes -I$stage/$used"
        done
        llvm=$(llvm-config-19 --includedir 2> /dev/null)
        [ "${module%%/*}" = jit ] && [ -n "$llvm" ] && includes="$includes -isystem $llvm"
        # shellcheck disable=SC2086
        gcc -std=gnu17 -D_GNU_SOURCE -Icuda/include $includes -fsyntax-only -x c "$header" 2> /tmp/check.$$ ||
            { fail "$header does not compile alone"; head -5 /tmp/check.$$; }
    done
    rm -f /tmp/check.$$
    note "headers: checked"
}

# No include goes around the stage, and llvm-c stays in jit.
check_layers()
{
    grep -rnE '#include "(\.\./|src/)' src tests --include=*.c --include=*.h && fail "an include goes around the modules"
    grep -rln 'llvm-c/' src --include=*.c --include=*.h | grep -v '^src/jit/' && fail "llvm-c outside src/jit"
    note "layers: checked"
}

# Unit tests with the address and undefined-behaviour sanitizers, in a build of their own.
check_sanitizers()
{
    build=build-check
    cmake -S . -B $build -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS=-O1 -DSW_SANITIZE=address,undefined > /dev/null &&
        ninja -C $build $(ninja -C $build -t targets all | sed -n 's,^\(tests/\(unit_[a-z0-9_]*\|driver_lifecycle\|driver_misuse\)\): .*,\1,p') lib/libsoftwarp-jit.so lib/libsoftwarp-tools.so \
            > $build/build.log 2>&1 || { fail "sanitizer build"; tail -20 $build/build.log; return; }
    # leaks: what lives as long as the process is not one; faults: the engine handles its own, and tests look at them
    ASAN_OPTIONS=detect_leaks=0:handle_segv=0:handle_sigbus=0 ctest --test-dir $build -R '^unit_' -j "$(nproc)" --output-on-failure > $build/test.log 2>&1 ||
        { fail "unit tests under sanitizers"; tail -60 $build/test.log; return; }
    note "sanitizers: $(grep 'tests passed' $build/test.log)"
    # The driver: nothing is left after everything was destroyed, and threads that destroy what others use do no harm.
    ASAN_OPTIONS=detect_leaks=1:handle_segv=0:handle_sigbus=0 CUDA_CACHE_DISABLE=1 timeout 900 $build/tests/driver_lifecycle > $build/leaks.log 2>&1 ||
        { fail "driver objects leak"; tail -60 $build/leaks.log; }
    ASAN_OPTIONS=detect_leaks=0:handle_segv=0:handle_sigbus=0 CUDA_CACHE_DISABLE=1 timeout 900 $build/tests/driver_misuse > $build/misuse.log 2>&1 ||
        { fail "misuse by threads"; tail -60 $build/misuse.log; }
    note "sanitizers: driver_lifecycle, driver_misuse"
}

# What threads meet in: the engine's unit tests, the driver's tests, and CUDA programs of the ordinary build (nvcc's) on
# libraries that have the sanitizer in them. Kernels' own code is not instrumented: races there are the program's.
check_threads()
{
    build=build-check-threads
    cmake -S . -B $build -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS=-O1 -DSW_SANITIZE=thread > /dev/null
    # shellcheck disable=SC2046
    ninja -C $build lib/libcuda.so.1 lib/libcudart.so.13 lib/libsoftwarp-jit.so lib/libsoftwarp-tools.so bin/softwarp $(ninja -C $build -t targets all |
        sed -n 's,^\(tests/\(driver_\|load_\|unit_test_\(engine\|vmem\|base\|cache\)\)[a-z0-9_]*\): .*,\1,p') > $build/build.log 2>&1 ||
        { fail "thread sanitizer build"; tail -20 $build/build.log; return; }
    TSAN_OPTIONS="suppressions=$PWD/tests/support/tsan.supp handle_segv=0 handle_sigbus=0 handle_sigfpe=0 handle_sigill=0 report_thread_leaks=0"
    export TSAN_OPTIONS # a program may exit while its threads run
    ctest --test-dir $build -R '^(unit_test_(engine|vmem|base|cache)|driver_|load_)' -E 'exports|header|report|h200|death|windows|overwrites' --output-on-failure > $build/test.log 2>&1 ||
        { fail "tests under the thread sanitizer"; grep -m3 -A14 'WARNING: ThreadSanitizer' $build/test.log; tail -20 $build/test.log; }
    note "threads: $(grep 'tests passed' $build/test.log)"
    for name in launch memory streams streams_per_thread errors graphs graph_device graph_updates groups nested lambda rdc linked; do
        program=build/tests/api/api_$name
        [ -x $program ] || continue
        LD_PRELOAD=$(gcc -print-file-name=libtsan.so) LD_LIBRARY_PATH=$PWD/$build/lib CUDA_CACHE_DISABLE=1 \
            timeout 900 $program > $build/$name.log 2>&1 || { fail "$program under the thread sanitizer"; tail -60 $build/$name.log; continue; }
        note "threads: $program ok"
    done
}

if [ "${1:-}" = threads ]; then
    check_threads
else
    check_format
    check_files
    check_docs
    check_constants
    check_arithmetic
    check_cycles
    check_headers
    check_layers
    [ "${1:-}" = quick ] || check_sanitizers
    [ "${1:-}" = quick ] || check_threads
fi
[ $failed = 0 ] && note "check: ok"
exit $failed
