#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Barriers of the grid: softwarp check --tool racecheck knows what they order, and takes little memory for many of them; a barrier that some
# blocks end without ends the launch, and synccheck says so, the same at any number of threads. usage: grid_barriers.sh BUILD
set -u
# shellcheck source=tests/support/script.sh
. "$(dirname "$0")/../support/script.sh"
softwarp=$1/bin/softwarp
most_kib=262144 # of 1056 blocks and 20 barriers: 3.4 times what was measured
must "$softwarp" cc -O2 -std=c++17 -arch=sm_90 -lineinfo -o "$work/program" "$here/grid_barriers.cu"

for threads in 1 3; do
    export SOFTWARP_THREADS=$threads
    expect 4 'Race reported between Write access at rounds.*in grid_barriers.cu:17' "$softwarp" check --tool racecheck "$work/program" racy 8
    expect 0 'ERROR SUMMARY: 0 errors' "$softwarp" check --tool all "$work/program" ordered 8
    expect 0 'ERROR SUMMARY: 0 errors' "$softwarp" check --tool all "$work/program" all 8
    expect 0 'ERROR SUMMARY: 0 errors' "$softwarp" check --tool all "$work/program" arrivals 9
    expect 4 'Barrier error detected. deadlock: 4 blocks of kernel .*some.* wait for ever at the barrier of the grid, block 0 among them; 4 ended without it, block 4' \
        "$softwarp" check --tool synccheck "$work/program" half 8
    cp "$work/out" "$work/half$threads"
    expect 1 'cudaErrorLaunchTimeout' "$softwarp" run "$work/program" half 8
    expect 4 'Launch failed: deadlock: 4 blocks' "$softwarp" check "$work/program" half 8
done
sed -i '/peak/d' "$work/half1" "$work/half3"
cmp "$work/half1" "$work/half3" || fail "another report with three threads"

expect 0 'ERROR SUMMARY: 0 errors' "$softwarp" check --tool racecheck "$work/program" ordered 1056
peak=$(sed -n 's/.*peak //p' "$work/out")
[ "$peak" -le "$most_kib" ] || fail "racecheck took $peak KiB"
echo "racecheck took $peak KiB"
exit $failed
