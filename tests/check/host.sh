#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# softwarp check finds what hosts do wrong with memory and calls, with the lines of the calls, and nothing in the mended twins.
# usage: host.sh BUILD
set -u
# shellcheck source=tests/support/script.sh
. "$(dirname "$0")/../support/script.sh"
softwarp=$1/bin/softwarp
cases=0
must "$softwarp" cc -O2 -g -lineinfo -fno-optimize-sibling-calls -o "$work/host" "$here/host.cu" -lcuda
have_lines=$(command -v addr2line || true)
tab=$(printf '\t')
grep -v '^#' "$here/host.tsv" > "$work/cases"
# The first error names the line with the comment $1 of the case, after $2.
names_line() {
    line=$(grep -n "$1 $name\>" "$here/host.cu" | cut -d: -f1)
    [ -z "$line" ] && return
    [ -z "$have_lines" ] && line='host+0x[0-9a-f]*' || line="host.cu:$line"
    grep -q "$2.*$line\$" "$work/first" || fail "$name: no line '$2 ... $line' in the first error"
}
while IFS=$tab read -r name options errors what; do
    cases=$((cases + 1))
    [ "$options" = - ] && options=
    # shellcheck disable=SC2086
    expect 4 "ERROR SUMMARY: $errors error" "$softwarp" check $options "$work/host" "$name" fault
    sed -n '2,10p' "$work/out" > "$work/first"
    grep -q "^========= $what" "$work/first" || fail "$name: no '$what' in the first error"
    names_line FAULT '========='
    names_line MADE 'Allocated by cu[A-Za-z]* in'
    names_line FREED 'Freed by cu[A-Za-z]* in'
    # shellcheck disable=SC2086
    expect 0 'ERROR SUMMARY: 0 errors' "$softwarp" check $options "$work/host" "$name" fine
done < "$work/cases"
[ "$cases" -ge 35 ] || fail "$cases cases"

expect 0 'ERROR SUMMARY: 0 errors' "$softwarp" check "$work/host" probes fault
expect 4 'on CUDA API call to cudaFuncGetAttributes' "$softwarp" check --report-api-errors all "$work/host" probes fault
expect 0 'ERROR SUMMARY: 0 errors' "$softwarp" check --report-api-errors no "$work/host" bad_copy fault
expect 0 'ERROR SUMMARY: 0 errors' "$softwarp" check "$work/host" leak_device fault
expect 2 'report-api-errors is explicit' "$softwarp" check --report-api-errors some "$work/host" probes fine
expect 2 'leak-check is full or no' "$softwarp" check --leak-check some "$work/host" probes fine
# what a kernel that failed leaves behind is no error of each call after it, and no leak
expect 4 'ERROR SUMMARY: 1 error' "$softwarp" check --leak-check full "$work/host" past_end fault
# the order of leaks is that of the calls
expect 4 'ERROR SUMMARY: 3 errors' "$softwarp" check --leak-check full "$work/host" leak_device fault
mv "$work/out" "$work/before"
expect 4 'ERROR SUMMARY: 3 errors' "$softwarp" check --leak-check full "$work/host" leak_device fault
cmp -s "$work/out" "$work/before" || fail 'leaks: another report the second time'
echo "$cases cases"
exit $failed
