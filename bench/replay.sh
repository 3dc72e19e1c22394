#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: bench/replay.sh BUILD [-r ROUNDS] [-g GPU] [PATTERN...]   How fast the models of caches and time play requests, without
# what makes these: builds bench_replay.c with the libraries of BUILD and runs it on one CPU. The sums in its last column must
# stay the same when only the speed should change; compare two builds in turn on a machine that others use.
set -eu
build=$(cd "$1" && pwd)
shift
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$build/bench"
libs=
for lib in timing clock sass model_sm model_sample model_cache model_access arch isa base; do
    libs="$libs $build/libsw_$lib.a"
done
# shellcheck disable=SC2086 # several files
cc -std=gnu17 -O2 -I"$here/../src" "$here/bench_replay.c" -o "$build/bench/replay" -Wl,--start-group $libs -Wl,--end-group \
    -lm -linih -lpthread
cpu=$(taskset -cp $$ | sed 's/.*[ ,-]//')
SOFTWARP_GPUS="$here/../gpus" taskset -c "$cpu" "$build/bench/replay" "$@"
