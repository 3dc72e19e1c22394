#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: accuracy.sh BUILD [FIRST STEP LEAST]   Run the recorded launches under `softwarp profile` and compare.
# Without FIRST: all of them (docs/accuracy.md is written by ../evaluate.py). Otherwise every STEP-th from FIRST on; fails when fewer of
# those of odd number agree than LEAST says (compare.py), or when samples of one multiprocessor in 8 say something else.
set -eu
build=$(cd "$1" && pwd)
. "$(dirname "$0")/../../support/script.sh"
metrics=l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum
for op in read write atom red; do metrics=$metrics,lts__t_sectors_srcunit_tex_op_$op.sum; done
metrics=$metrics,dram__sectors_read.sum,dram__sectors_write.sum
first=${2:-0}
step=${3:-1}
play() {
    "$build/bin/softwarp" profile --sample "$1" --device h200 --metrics "$metrics" --csv --page raw -o "$work/$2.csv" \
        "$build/tests/hw_memory" "$here/memory.ptx" cases "$first" 100000 "$step"
}
play 1 ours
play 8 sampled
python3 "$here/compare.py" "$here/h200/cases.csv" "$work/ours.csv" --sampled "$work/sampled.csv" --first "$first" --step "$step" ${4:+--least "$4"}
