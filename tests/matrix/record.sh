#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Record golden data on a machine with a GPU, nvcc and ncu. usage: tests/matrix/record.sh OUTDIR
# Writes OUTDIR/results.txt (digests of what every matrix form gives for 16384 warps a class of inputs, 1024 where only layout or
# type differ from another form), counters.csv (accesses of loads and stores, from ncu), machine.txt (GPU, driver, toolkit, date).
set -eu
out=$1
. "$(dirname "$0")/../support/script.sh"
mkdir -p "$out"
cc=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -1 | tr -d .)
nvcc -O2 -x c -I"$here" -I"$here/../support" "$here"/matrix_record.c "$here"/matrix_forms.c "$here"/matrix_fragments.c -o "$work/matrix_record" -lcuda
"$work/matrix_record" ptx > "$work/new.ptx"
"$work/matrix_record" old > "$work/old.ptx"
ptxas -arch="sm_$cc" "$work/new.ptx" -o "$work/new.cubin" 2> /dev/null
ptxas -arch="sm_$cc" "$work/old.ptx" -o "$work/old.cubin" 2> /dev/null
"$work/matrix_record" run "$work/new.cubin" "$work/old.cubin" 16384 > "$out/results.txt"
describe_machine > "$out/machine.txt"
M=l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
M+=,l1tex__t_requests_pipe_lsu_mem_global_op_st.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
M+=,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum
M+=,memory_l1_wavefronts_shared,memory_l1_wavefronts_shared_ideal
M+=,memory_l2_theoretical_sectors_global,memory_l2_theoretical_sectors_global_ideal
for part in matrix_sync wmma_load wmma_store; do
    ncu --csv --page raw --print-units base --metrics "$M" "$work/matrix_record" run "$work/new.cubin" "$work/old.cubin" 64 $part \
        > "$work/$part.csv" 2> "$work/ncu.err" || { tail -5 "$work/ncu.err" >&2; exit 1; }
done
python3 "$here/counters.py" reduce "$work"/matrix_sync.csv "$work"/wmma_load.csv "$work"/wmma_store.csv > "$out/counters.csv"
wc -l "$out/results.txt" "$out/counters.csv"
