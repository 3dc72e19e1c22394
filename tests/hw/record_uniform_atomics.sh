#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Record counters of uniform_atomics.cu with nvcc and ncu. usage: tests/hw/record_uniform_atomics.sh OUTDIR
# Writes OUTDIR/uniform_atomics.csv, OUTDIR/uniform_atomics-machine.txt, and to standard output what ptxas made of the
# atomics for three compute capabilities.
set -eu
out=$1
. "$(dirname "$0")/../support/script.sh"
mkdir -p "$out"
for sm in 75 80 90; do
    nvcc -w -arch=sm_$sm -cubin -o "$work/$sm.cubin" "$here/uniform_atomics.cu"
    cuobjdump -sass "$work/$sm.cubin" | grep -E 'Function :|REDUX|ATOM|RED|VOTE|POPC' | sed "s/^/sm_$sm: /"
done
nvcc -w -arch=sm_90 -cudart shared -o "$work/atomics" "$here/uniform_atomics.cu"
metrics=gpu__time_duration.sum,smsp__inst_executed.sum,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum
for op in atom red; do
    metrics=$metrics,l1tex__t_requests_pipe_lsu_mem_global_op_$op.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_$op.sum,lts__t_sectors_srcunit_tex_op_$op.sum
done
ncu --csv --page raw --print-units base --metrics "$metrics" "$work/atomics" | grep '^"' > "$out/uniform_atomics.csv"
describe_machine > "$out/uniform_atomics-machine.txt"
