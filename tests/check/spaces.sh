#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# softwarp check finds each wrong access of spaces.cu, with its space, line, thread and place, and nothing in the mended twin; the
# report is the same at any number of threads. usage: spaces.sh BUILD
set -u
# shellcheck source=tests/support/script.sh
. "$(dirname "$0")/../support/script.sh"
softwarp=$1/bin/softwarp
cases=0
must "$softwarp" cc -O2 -arch sm_90 -lineinfo -o "$work/spaces" "$here/spaces.cu"
tab=$(printf '\t')
grep -v '^#' "$here/spaces.tsv" > "$work/cases"
while IFS=$tab read -r name errors what by address; do
    cases=$((cases + 1))
    line=$(grep -n "FAULT $name\>" "$here/spaces.cu" | cut -d: -f1)
    export SOFTWARP_THREADS=3
    expect 4 '' "$softwarp" check "$work/spaces" "$name" fault
    grep -v '^==SOFTWARP==' "$work/out" > "$work/three"
    export SOFTWARP_THREADS=1
    expect 4 "ERROR SUMMARY: $errors error" "$softwarp" check "$work/spaces" "$name" fault
    grep -v '^==SOFTWARP==' "$work/out" | cmp -s - "$work/three" || fail "$name: another report with three threads"
    for pattern in "$what" "spaces.cu:$line\$" "by $by" "$address"; do
        grep -q "$pattern" "$work/out" || fail "$name: no '$pattern' in the report"
    done
    expect 0 'ERROR SUMMARY: 0 errors' "$softwarp" check "$work/spaces" "$name" fine
done < "$work/cases"
[ "$cases" -ge 25 ] || fail "$cases cases"
echo "$cases cases"
exit $failed
