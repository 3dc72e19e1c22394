#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: check.sh BUILD cc|nvcc   Build the examples with that compiler and compare every figure of figures.tsv.
set -eu
build=$(readlink -f "$1") compiler=$2
. "$(dirname "$0")/../support/script.sh"
examples=$here/../../examples
built=
compile() {
    case " $built " in *" $1 "*) return 0 ;; esac
    if [ "$compiler" = cc ]; then "$build/bin/softwarp" cc "$examples/$1.cu" -o "$work/$1"; else
        "$SW_NVCC" -arch=sm_75 -cudart shared "$examples/$1.cu" -o "$work/$1"; fi
    built="$built $1"
}
checked=0 bad=0 last=
while IFS=$'\t' read -r example args gpu metric want; do
    case $example in ''|'#'*) continue ;; esac
    [ "$compiler" = nvcc ] && [ "$gpu" = m2090 ] && continue
    compile "$example"
    if [ "$last" != "$example $args $gpu" ]; then
        # shellcheck disable=SC2086
        "$build/bin/softwarp" profile --device "$gpu" --csv --page raw -o "$work/out.csv" \
            --metrics gld_transactions,gst_transactions,gld_efficiency,gst_efficiency "$work/$example" $args > "$work/out" 2> "$work/err" ||
            die "$example $args"
        last="$example $args $gpu"
    fi
    got=$(python3 "$here/value.py" "$work/out.csv" "$metric")
    checked=$((checked + 1))
    python3 -c "import sys; sys.exit(abs(float('$got') - float('$want')) > (0.1 if 'efficiency' in '$metric' else 0))" ||
        { echo "$example $args on $gpu: $metric is $got, the guide has $want"; bad=$((bad + 1)); }
done < "$here/figures.tsv"
echo "$checked figures from $compiler builds, $bad differ"
[ "$bad" = 0 ]
