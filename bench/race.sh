#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The race detector alone: nanoseconds of an access. usage: bench/race.sh [BUILD] [options of bench_race]
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
[ $# -gt 0 ] && shift
program=$(mktemp)
trap 'rm -f "$program"' EXIT
cc -std=gnu17 -O2 -D_GNU_SOURCE -I"$build/stage/race" -I"$build/stage/base" bench/bench_race.c \
    "$(find "$build" -name libsw_race.a)" "$(find "$build" -name libsw_base.a)" -lpthread -ldl -lm -o "$program"
"$program" "$@"
