#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check.sh BUILD GPU   Run matrix forms here and compare the digests of their results with tests/matrix/GPU/results.txt.
# MATRIX_WARPS (64): so many of the recorded multiplications a form and class; MATRIX_FORMS (few): a part of their names, empty: all.
# MATRIX_COUNTERS: instead, compare the accesses of kernels with these parts in their names, under `softwarp profile`, with counters.csv;
# "matrix_sync wmma_load wmma_store" is all of them.
set -eu
build=$1
gpu=$2
. "$(dirname "$0")/../support/script.sh"
"$build/tests/matrix_record" ptx > "$work/new.ptx"
"$build/tests/matrix_record" old > "$work/old.ptx"
if [ "${MATRIX_COUNTERS:-}" ]; then
    for part in $MATRIX_COUNTERS; do
        "$build/bin/softwarp" profile --device "$gpu" --set full --csv --page raw -o "$work/$part.csv" \
            "$build/tests/matrix_record" run "$work/new.ptx" "$work/old.ptx" 64 "$part" > /dev/null
    done
    python3 "$here/counters.py" compare "$here/$gpu/counters.csv" "$work"/*.csv
    exit
fi
"$build/tests/matrix_record" run "$work/new.ptx" "$work/old.ptx" "${MATRIX_WARPS:-64}" "${MATRIX_FORMS-few}" > "$work/results.txt"
python3 "$here/compare.py" "$here/$gpu/results.txt" "$work/results.txt"
