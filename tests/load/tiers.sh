#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: tiers.sh SOFTWARP LOAD_CACHE     What is kept of the two tiers: the cache has full tiers alone, the same as without
# tiers; a process that ends while one is compiled leaves a cache that is sound, and has compiled at least one.
softwarp=$1 program=$2
. "$(dirname "$0")/../support/script.sh"
export CUDA_CACHE_PATH="$work/cache"
unset CUDA_CACHE_DISABLE CUDA_CACHE_MAXSIZE
number() { "$softwarp" cache | sed -n 's/^entries *\([0-9]*\).*/\1/p'; }
sound() { "$softwarp" cache --check > "$work/out.check" 2>&1 || die "$1: the cache is not sound"; }
run() # run TIERS FIRST COUNT
{
    SOFTWARP_TIERS=$1 "$program" "$2" "$3" > "$work/out" 2>&1
    grep -q '^ok$' "$work/out" || die "$1: $(cat "$work/out")"
    [ "$1" = first ] || sound "$1"
}
mkdir "$work/cache"

run first 0 4
[ "$(number)" = '' ] || die "the first tier is in the cache: $(number) entries"
# A process that ends before the second compilation has begun drops it, as on a machine that is busy.
for try in 1 2 3 4 5 6 7 8 9 10; do
    run both 0 1
    [ "$(number)" != 1 ] || break
done
[ "$(number)" = 1 ] || die "the compilation in progress is lost: $(number) entries, $try times"
cp -r "$work/cache" "$work/both"
"$softwarp" cache --clear > "$work/out"
run full 0 1
[ "$(number)" = 1 ] || die "without tiers: $(number) entries"
find "$work/cache" -name '*.o' | while read -r entry; do
    cmp "$entry" "$work/both/${entry#"$work/cache/"}" || exit 1
done || die "the full tier is not what is compiled without tiers"
for try in 1 2 3 4 5 6 7 8 9 10; do
    run both 0 8
    [ "$(number)" -lt 2 ] || break
done
[ "$(number)" -ge 2 ] || die "eight kernels, one of which was there: $(number) entries"
SOFTWARP_TIERS=none "$program" 0 1 > "$work/out" 2>&1 && die "SOFTWARP_TIERS=none is taken"
grep -q "SOFTWARP_TIERS is 'none'; use both, first or full" "$work/out" || die "SOFTWARP_TIERS=none: $(cat "$work/out")"
