#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# softwarp check finds each wrong access of memcheck.cu, with its line, thread and allocation, and nothing in the mended twin; the
# report is the same at any number of threads. usage: memcheck.sh BUILD SOURCE-TREE
set -u
build=$1
here=$2/tests/check
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
cases=0
fail()
{
    printf 'FAILED: %s\n' "$*"
    failed=1
}
"$build/bin/softwarp" cc -O2 -lineinfo -o "$work/memcheck" "$here/memcheck.cu" || exit 1
tab=$(printf '\t')
grep -v '^#' "$here/memcheck.tsv" > "$work/cases"
while IFS=$tab read -r name errors what by address; do
    cases=$((cases + 1))
    line=$(grep -n "FAULT $name\>" "$here/memcheck.cu" | cut -d: -f1)
    for threads in 1 3; do
        SOFTWARP_THREADS=$threads "$build/bin/softwarp" check "$work/memcheck" "$name" fault > "$work/out.$threads" 2> "$work/err"
        [ $? = 4 ] || fail "$name: exit status: $(cat "$work/err")"
    done
    [ "$name" = host ] || cmp -s "$work/out.1" "$work/out.3" || fail "$name: another report with three threads"
    grep -q "ERROR SUMMARY: $errors error" "$work/out.1" || fail "$name: not $errors errors: $(tail -1 "$work/out.1")"
    first=$(sed -n '2,6p' "$work/out.1")
    for pattern in "Invalid __global__ $what" "in memcheck.cu:$line\$" "by $by" "$address"; do
        printf '%s\n' "$first" | grep -q "$pattern" || fail "$name: no '$pattern' in: $first"
    done
    "$build/bin/softwarp" check "$work/memcheck" "$name" fine > "$work/out" 2>&1 || fail "$name, mended: $(cat "$work/out")"
    grep -q 'ERROR SUMMARY: 0 errors' "$work/out" || fail "$name, mended: $(cat "$work/out")"
done < "$work/cases"
[ "$cases" -ge 18 ] || fail "$cases cases"

"$build/bin/softwarp" check --error-exitcode 77 "$work/memcheck" one_past fault > "$work/out" 2>&1
[ $? = 77 ] || fail "--error-exitcode 77"
"$build/bin/softwarp" check --print-limit 3 "$work/memcheck" no_guard fault > "$work/out" 2>&1
[ "$(grep -c 'Invalid __global__' "$work/out")" = 3 ] || fail "--print-limit 3: $(cat "$work/out")"
grep -q '21 errors were not printed' "$work/out" || fail "--print-limit 3: $(tail -2 "$work/out")"
"$build/bin/softwarp" check --tool racecheck "$work/memcheck" one_past fine > "$work/out" 2>&1
[ $? = 3 ] || fail "--tool racecheck: $(cat "$work/out")"
echo "$cases cases"
exit $failed
