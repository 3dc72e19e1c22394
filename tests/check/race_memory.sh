#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# softwarp check --racecheck-memory: races in the memory that it names, and no others; orders by the other memory count. In shared
# memory alone, reports are the same at any number of host threads, and those of all memory. usage: race_memory.sh BUILD
set -u
# shellcheck source=tests/support/script.sh
. "$(dirname "$0")/../support/script.sh"
softwarp=$1/bin/softwarp
enter_work
must "$softwarp" cc -O2 -arch sm_90 -lineinfo -o "$work/program" "$here/race_memory.cu"
must "$softwarp" cc -O2 -std=c++17 -arch=sm_90 -lineinfo -o "$work/planted" "$here/racecheck_shared.cu"

check() # STATUS PATTERN SPACE CASE
{
    expect "$1" "$2" "$softwarp" check --tool racecheck --racecheck-memory "$3" "$work/program" "$4"
}

# The same report of shared memory as of all, with one host thread and with several.
same() # PROGRAM ARGUMENTS...
{
    "$softwarp" check --tool racecheck "$@" > "$work/all" 2> /dev/null
    for threads in 1 2 5; do
        SOFTWARP_THREADS=$threads "$softwarp" check --tool racecheck --racecheck-memory shared "$@" > "$work/out" 2> "$work/err"
        cmp -s "$work/out" "$work/all" || fail "another report of shared memory with $threads host threads: $*"
    done
    grep -q 'Race reported' "$work/all" || fail "no race: $*"
}

check 4 'Race reported' shared shared_race
check 0 'ERROR SUMMARY: 0 errors' global shared_race
check 0 'ERROR SUMMARY: 0 errors' shared global_race
check 4 'Race reported' global global_race
check 4 'Race reported' all global_race
for memory in shared global all; do
    check 0 'ERROR SUMMARY: 0 errors' $memory flag_in_global
    check 0 'ERROR SUMMARY: 0 errors' $memory flag_in_shared
done
check 4 'race_memory.cu:31' shared both
grep -q 'Write access at.*race_memory.cu:32' "$work/out" && fail "a race of global memory"
same "$work/program" shared_race
same "$work/program" odd_blocks
for name in raw tree exchange scan; do
    same "$work/planted" $name fault
done

# With initcheck, which has one host thread, and beside it.
expect 4 'Uninitialized __global__ memory read\|Race reported' "$softwarp" check --tool initcheck,racecheck --racecheck-memory shared \
    "$work/program" shared_race
expect 0 'ERROR SUMMARY: 0 errors' "$softwarp" check --tool initcheck,racecheck --racecheck-memory shared "$work/program" flag_in_global

expect 4 '"race_memory": "shared"' "$softwarp" check --tool racecheck --racecheck-memory shared --json - "$work/program" shared_race
expect 0 'SUMMARY' "$softwarp" check --racecheck-memory all --tool memcheck,racecheck "$work/program" flag_in_shared
expect 2 "racecheck-memory is all, shared or global, not 'local'" "$softwarp" check --tool racecheck --racecheck-memory local true
expect 2 'racecheck-memory .* belongs to --tool racecheck' "$softwarp" check --racecheck-memory shared true
exit $failed
