#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: build.sh BUILD PRESET [TARGET...]    Configure the first time, then build, and say no more than a line of progress: on a
# terminal one that is written over, elsewhere one at the begin. What went wrong is shown whole. Later configurations are
# ninja's, when a CMake file, a list of sources or a preset has changed.
set -eu
build=$1 preset=$2
shift 2
mkdir -p "$build"
log=$build/build.log
failed() {
    [ -t 1 ] && printf '\r\033[K'
    sed '/^\[[0-9]*\/[0-9]*\] /d; /^ninja: Entering directory/d' "$log" >&2
    printf 'the build failed; its whole output is in %s\n' "$log" >&2
    exit 1
}
if [ ! -e "$build/build.ninja" ]; then
    cmake --preset "$preset" > "$log" 2>&1 || failed
fi
if [ -t 1 ]; then
    status=$build/build.status
    { ninja -C "$build" "$@" 2>&1 || echo failed > "$status"; } | tee "$log" |
        sed -u -n 's/^\(\[[0-9]*\/[0-9]*\]\) \(.\{0,64\}\).*/\r\x1b[K\1 \2/p' | tr -d '\n'
    [ ! -e "$status" ] || { rm -f "$status"; failed; }
    printf '\r\033[K'
else
    [ -e "$build/.ninja_log" ] ||
        printf 'building: %s steps, a few minutes\n' "$(ninja -C "$build" -t commands "$@" 2> /dev/null | wc -l)"
    ninja -C "$build" "$@" > "$log" 2>&1 || failed
fi
