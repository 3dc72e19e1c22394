#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# softwarp check --tool synccheck finds each misuse of sync_rules.cu, with its line and thread, and nothing in the mended twin or in what is
# allowed; the report is the same at any number of threads. usage: sync_rules.sh BUILD
set -u
# shellcheck source=tests/support/script.sh
. "$(dirname "$0")/../support/script.sh"
softwarp=$1/bin/softwarp
must "$softwarp" cc -O2 -lineinfo -arch=sm_90 -o "$work/sync_rules" "$here/sync_rules.cu"
check()
{
    expect "$1" "$2" "$softwarp" check --tool synccheck "$work/sync_rules" "$3" "$4"
}
cases=0
tab=$(printf '\t')
grep -v '^#' "$here/sync_rules.tsv" > "$work/cases"
while IFS=$tab read -r name message by; do
    cases=$((cases + 1))
    line=$(grep -n "FAULT $name\>" "$here/sync_rules.cu" | cut -d: -f1 | head -1)
    export SOFTWARP_THREADS=3
    check 4 '' "$name" fault
    mv "$work/out" "$work/three"
    export SOFTWARP_THREADS=1
    check 4 'ERROR SUMMARY: [1-9]' "$name" fault
    cmp -s "$work/out" "$work/three" || fail "$name: another report with three threads"
    sed -n '2,4p' "$work/out" > "$work/first"
    for pattern in "$message" "in sync_rules.cu:$line\$" "by $by in block (0,0,0)"; do
        grep -q "$pattern" "$work/first" || fail "$name: no '$pattern' in the first error"
    done
    check 0 'ERROR SUMMARY: 0 errors' "$name" fine
done < "$work/cases"
[ "$cases" -ge 31 ] || fail "$cases cases"

for name in early_return named partial_masks arms_of_warps reads_down; do
    for way in fault fine; do
        check 0 'ERROR SUMMARY: 0 errors' "$name" "$way"
    done
done

# one finding for each instruction, though five blocks have it, and another where another tool looks
check 4 'ERROR SUMMARY: 5 errors$' lanes_if fault
expect 0 'ERROR SUMMARY: 0 errors' "$softwarp" check "$work/sync_rules" lanes_if fault
echo "$cases cases"
exit $failed
