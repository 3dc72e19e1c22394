#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# softwarp check finds each wrong access of memcheck.cu, with its line, thread and allocation, and nothing in the mended twin; the
# report is the same at any number of threads. usage: memcheck.sh BUILD
set -u
# shellcheck source=tests/support/script.sh
. "$(dirname "$0")/../support/script.sh"
softwarp=$1/bin/softwarp
# shellcheck source=tests/support/check_cases.sh
. "$(dirname "$0")/../support/check_cases.sh"
moving=host
must "$softwarp" cc -O2 -lineinfo -o "$work/memcheck" "$here/memcheck.cu"
check_cases memcheck
[ "$cases" -ge 18 ] || fail "$cases cases"

expect 77 'Invalid' "$softwarp" check --error-exitcode 77 "$work/memcheck" one_past fault
expect 4 '21 errors were not printed' "$softwarp" check --print-each --print-limit 3 "$work/memcheck" no_guard fault
[ "$(grep -c 'Invalid __global__' "$work/out")" = 3 ] || fail "--print-limit 3"
expect 2 'there is no tool named' "$softwarp" check --tool nosuch "$work/memcheck" one_past fine
expect 4 'place: 24; this is the first' "$softwarp" check --print-limit 1 "$work/memcheck" no_guard fault
[ "$(grep -c 'Invalid __global__' "$work/out")" = 1 ] || fail "one line is one group"
says out '^=========     memcheck.cu:[0-9]*: a\[i\] = i;'
says out '^=========     Threads of block \(3,0,0\): \(232..255,0,0\)$'
expect 2 'no program given' "$softwarp" check
expect 3 'nothing was checked' "$softwarp" check true
expect 4 'illegal address' "$softwarp" check "$work/memcheck" one_past fault
echo "$cases cases"
exit $failed
