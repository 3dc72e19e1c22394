#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: cache_shared.sh SOFTWARP LOAD_CACHE     Eight processes that compile the same and different kernels at the same
# time into an empty cache: all are right, all entries are sound, and a second run compiles nothing. Then with room for a few
# entries only, with the cache turned off, and with every entry damaged.
softwarp=$1 program=$2
. "$(dirname "$0")/../support/script.sh"
export CUDA_CACHE_PATH="$work"
unset CUDA_CACHE_DISABLE CUDA_CACHE_MAXSIZE
number() { "$softwarp" cache | sed -n "s/^$1 *\([0-9]*\).*/\1/p"; }
sound() { "$softwarp" cache --check > "$work/out.check" 2>&1 || die "$1: the cache is not sound"; }

eight() # eight WHAT: processes 1 to 8, each with four kernels of its own and four of all
{
    for i in 1 2 3 4 5 6 7 8; do
        { "$program" 0 4 && "$program" $((i * 4)) 4; } > "$work/out.$i" 2>&1 &
    done
    wait
    for i in 1 2 3 4 5 6 7 8; do
        [ "$(grep -c '^ok$' "$work/out.$i")" = 2 ] || die "$1: process $i"
    done
}

eight "empty cache"
sound "empty cache"
[ "$(number entries)" = 36 ] || die "$(number entries) entries, not 36"
eight "full cache"
[ "$(number entries)" = 36 ] || die "a second run made entries: $(number entries)"

# a hit renews the time of its entry; a cache that is turned off stays as it is
times=$(ls -l --time-style=full-iso "$work"/softwarp/*.o | md5sum)
CUDA_CACHE_DISABLE=1 "$program" 100 2 > "$work/out.off" || die "turned off"
CUDA_FORCE_PTX_JIT=1 "$program" 0 4 > "$work/out.force" || die "CUDA_FORCE_PTX_JIT"
[ "$(number entries)" = 36 ] || die "a cache that is turned off grew"
[ "$times" != "$(ls -l --time-style=full-iso "$work"/softwarp/*.o | md5sum)" ] || die "a hit did not renew an entry"

# every entry damaged in another place: found by the check, rebuilt by the next run
n=0
for f in "$work"/softwarp/*.o; do
    n=$((n + 1))
    size=$(stat -c %s "$f")
    printf '\377\376\375' | dd of="$f" bs=1 seek=$((20 + (size - 30) * n / 40)) conv=notrunc 2> /dev/null
done
"$softwarp" cache --check > "$work/out.check" && die "damage is not found"
[ "$(number damaged)" = 36 ] || die "$(number damaged) damaged entries are found, not 36"
eight "damaged cache"
sound "damaged cache"
[ "$(number damaged)" = 0 ] || die "damaged entries stayed"

# room for about six
bytes=$(($(stat -c %s "$f") * 6))
CUDA_CACHE_MAXSIZE=$bytes
export CUDA_CACHE_MAXSIZE
"$softwarp" cache --clear > /dev/null
eight "small cache"
sound "small cache"
[ "$(number bytes)" -le "$bytes" ] || die "$(number bytes) bytes where $bytes may be"
[ "$(number entries)" -ge 3 ] || die "$(number entries) entries stayed"
# files no larger than that
"$softwarp" cache --clear > /dev/null
(ulimit -f 1; "$program" 0 4) > "$work/out.small" 2>&1 || die "with ulimit -f"
sound "ulimit -f"
echo ok
