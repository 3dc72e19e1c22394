#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: threads.sh BUILD   A report does not change by one byte between 1 and 4 host threads.
set -eu
build=$1
. "$(dirname "$0")/../support/script.sh"
for threads in 1 4; do
    for page in raw details; do
        SOFTWARP_THREADS=$threads "$build/bin/softwarp" profile --page $page $([ $page = raw ] && echo --csv) -o "$work/$page.$threads" \
            "$build/tests/hw_cases" "$here/kernels.ptx" 100 27 > "$work/out.$threads"
    done
done
cmp "$work/raw.1" "$work/raw.4"
cmp "$work/details.1" "$work/details.4"
cmp "$work/out.1" "$work/out.4"
echo "reports of 27 launches are the same bytes with 1 and 4 host threads"
