#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# softwarp check --schedules: which order changes a result, the same again with the seed, and nothing where none does.
# usage: schedules.sh BUILD
set -u
# shellcheck source=tests/support/script.sh
. "$(dirname "$0")/../support/script.sh"
softwarp=$1/bin/softwarp
enter_work
must "$softwarp" cc -O2 -arch sm_90 -lineinfo -o "$work/program" "$here/schedules.cu"

check() # STATUS PATTERN CASE OPTIONS...
{
    want=$1 pattern=$2 name=$3
    shift 3
    expect "$want" "$pattern" "$softwarp" check "$@" "$work/program" "$name"
}

# Memory: the kernel, who differs, the first element in both runs, and who made the memory.
check 4 'Warning: Result depends on the order of blocks and warps: schedules 1, 2, 3 of 4 (seed 7)' last_block --schedules 4 --seed 7
says out 'in the 4 bytes at 0x[0-9a-f]*; first at byte 0: 64 \(as float .*\) and 1 \(as float'
says out 'at last_block_wins\(int \*\)'
says out 'Allocated by cudaMalloc'
says out 'ERROR SUMMARY: 1 error$'
cp "$work/out" "$work/before"
check 4 '' last_block --schedules 4 --seed 7
cmp -s "$work/out" "$work/before" || fail "another report with the same seed"
check 4 'schedules 2, 3 of 4 (seed 7)' middle_block --schedules 4 --seed 7
check 0 'ERROR SUMMARY: 0 errors' middle_block --schedules 2
check 4 'schedule 1 of 2 (seed 0)' last_warp --schedules 2
check 4 'first at byte 0: 4 (as float .*) and 1 (as float' last_that_waits --schedules 2
check 0 'ERROR SUMMARY: 0 errors' last_block --schedules 2 --print-level error
check 4 'at last_block_wins' second_launch --schedules 3
says out 'ERROR SUMMARY: 1 error$'
check 4 'at first_writes' either --schedules 2
says out 'in the 4 bytes at 0x[0-9a-f]*; first at byte 0: 1 \(as float .*\) and 0 \(as float'
SOFTWARP_THREADS=3 expect 4 '' "$softwarp" check --schedules 4 --seed 7 "$work/program" last_block
cmp -s "$work/out" "$work/before" || fail "another report with three threads"

# Output and exit status; the first run's output alone is printed.
check 4 'the program prints something else than under schedule 0, first in line 2' printed --schedules 3
[ "$(grep -c '^first line$' "$work/out")" = 1 ] || fail "the output of other runs is printed"
says out '^last block 63$'
check 4 'Error: Result depends .*: the program ends with status 1, not with 0' status --schedules 2
check 4 'ERROR SUMMARY: 1 error$' status --schedules 2 --print-level error

# Nothing where no order matters; a float sum is a warning at most.
for name in correct chain streams; do
    check 0 'ERROR SUMMARY: 0 errors' $name --schedules 8
done
check 0 'ERROR SUMMARY: 0 errors' correct --schedules 3 --tool all
check 4 'Warning: .*as floats, values differ by [0-9.]*e-0[5-9] of themselves' float_sum --schedules 8
check 0 'ERROR SUMMARY: 0 errors' float_sum --schedules 8 --print-level error

# Blocks that wait for each other end, in any number.
for name in long_chain tickets; do
    check 0 'ERROR SUMMARY: 0 errors' $name --schedules 4
done

# Races that one order hides.
for name in lock flag; do
    check 0 'ERROR SUMMARY: 0 errors' $name --tool racecheck
    check 4 'Found only under another order of blocks and warps: schedule 1 of 2, seed 0' $name --tool racecheck --schedules 2
    says out "Race reported between"
    says out "schedules.cu:$(grep -n "LINE ${name}_" "$here/schedules.cu" | cut -d: -f1)"
done

# Programs that differ from themselves are not judged; input is there for each run.
check 0 'ERROR SUMMARY: 0 errors' random --schedules 3
says err 'what kernels leave in memory differs from run to run under one schedule'
check 0 'ERROR SUMMARY: 0 errors' times --schedules 3
check 4 'first in line 3' times_printed --schedules 3
echo 5 > "$work/input"
expect 0 '^5$' "$softwarp" check --schedules 3 "$work/program" input < "$work/input"

check 143 '' stopped --schedules 3
[ "$(wc -l < "$work/runs")" = 1 ] || fail "a program that was stopped is run again"
check 2 '--schedules is 2 to 256' correct --schedules 1
check 2 'belongs to --schedules' correct --seed 3
check 0 'ERROR SUMMARY: 0 errors' second_launch --schedules 2 --kernel-name-exclude kns=last
exit "$failed"
