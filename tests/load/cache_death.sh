#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: cache_death.sh SOFTWARP LOAD_CACHE     Two processes that compile are killed (-9) at a random moment, SOFTWARP_DEATHS
# times (8; 200 takes two minutes): afterwards every entry of the cache is sound and the next run is right. The moments
# follow a fixed series, spread over the time that a cold run takes, which is followed as the machine gets faster or slower.
softwarp=$1 program=$2 times=${SOFTWARP_DEATHS:-8} kernels=8
. "$(dirname "$0")/../support/script.sh"
export CUDA_CACHE_PATH="$work"
unset CUDA_CACHE_DISABLE CUDA_CACHE_MAXSIZE

"$program" 0 1 > /dev/null || die "the first run"
t0=$(date +%s%N)
"$program" 1 $kernels > /dev/null || die "a cold run"
t1=$(date +%s%N)
span=$(((t1 - t0) / 1000)) # microseconds
awk -v n="$times" 'BEGIN { srand(2026); for (i = 0; i < n; i++) print int(rand() * 1000) }' > "$work/delays"
died=0 i=0
while read -r permille; do
    i=$((i + 1))
    delay=$(awk -v a="$permille" -v b=$span 'BEGIN { printf "%.4f", a * b / 1e9 }')
    [ $((i % 4)) = 1 ] && "$softwarp" cache --clear > /dev/null # else what the one before left is there
    first=$((i * 100))
    "$program" $first $kernels > "$work/out.a" 2>&1 &
    a=$!
    "$program" $((first + 2)) $kernels > "$work/out.b" 2>&1 &
    b=$!
    sleep "$delay"
    kill -9 $a $b 2> /dev/null
    before=$died
    wait $a 2> /dev/null; [ $? = 137 ] && died=$((died + 1))
    wait $b 2> /dev/null; [ $? = 137 ] && died=$((died + 1))
    [ $died = $before ] && span=$((span * 3 / 4)) || span=$((span * 17 / 16))
    "$softwarp" cache --check > "$work/out.check" 2>&1 || die "death $i after $delay s: the cache is not sound"
    "$program" $first $((kernels + 2)) > "$work/out.next" 2>&1 || die "death $i after $delay s: the next run"
    grep -q '^ok$' "$work/out.next" || die "death $i after $delay s: the next run said nothing"
done < "$work/delays"
[ $died -ge $((times / 4)) ] || die "only $died of $((2 * times)) processes were killed before they ended"
echo "ok: $died of $((2 * times)) processes killed, the next run right each time"
