#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Record the times of the launches of timing.def on a machine with a GPU, nvcc and ncu. usage: record.sh OUTDIR
# Writes OUTDIR/timing.csv (ncu, one row a launch) and machine.txt (GPU, driver, toolkit, date). timing.ptx is used as committed,
# so that the GPU's ptxas and Softwarp start from the same text; remake it with
#   nvcc -arch=sm_90 -lineinfo -ptx timing.cu -o timing.ptx   (then cut the folders in its .file lines)
# Cache control is ncu's default (all caches are flushed before each pass), clock control too (locked to the base clock).
set -u
out=$1
. "$(dirname "$0")/../../support/script.sh"
mkdir -p "$out"
nvcc -x c -I"$here" -I"$here/../memory" -I"$here/../../support" "$here/../memory/memory.c" -o "$work/hw_memory" -lcuda || exit 1
describe_machine ,clocks.max.sm,clocks.max.mem,memory.total > "$out/machine.txt"
# The machine code that ptxas makes of it, where the toolkit can print it.
nvcc -arch=sm_90 -cubin "$here/timing.ptx" -o "$work/timing.cubin" && cuobjdump -sass "$work/timing.cubin" 2> /dev/null | gzip > "$out/timing.sass.gz"
ncu --query-metrics > "$work/known" 2>&1
awk '{print $1}' "$work/known" | sort -u > "$work/names"

TIME="gpu__time_duration.sum sm__cycles_elapsed.max sm__cycles_elapsed.avg.per_second sm__cycles_active.avg sm__cycles_active.max"
TIME+=" dram__cycles_elapsed.avg.per_second lts__cycles_elapsed.avg.per_second smsp__inst_executed.sum smsp__inst_issued.sum"
TIME+=" smsp__thread_inst_executed.sum smsp__issue_active.avg.pct_of_peak_sustained_active"
for pipe in alu fma fmaheavy fmalite fp16 fp64 lsu xu uniform adu cbu tex tensor tensor_op_hmma tensor_op_imma tensor_op_dmma; do
    TIME+=" sm__inst_executed_pipe_$pipe.sum"
done
for unit in alu fma fp64 xu lsu tensor; do TIME+=" sm__pipe_${unit}_cycles_active.avg.pct_of_peak_sustained_active"; done
TIME+=" l1tex__data_pipe_lsu_wavefronts_mem_shared.sum l1tex__data_pipe_lsu_wavefronts.sum l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"
TIME+=" l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum l1tex__lsuin_requests.sum"
TIME+=" lts__t_sectors_srcunit_tex.sum lts__t_sectors.sum dram__bytes_read.sum dram__bytes_write.sum"
TIME+=" sm__throughput.avg.pct_of_peak_sustained_elapsed lts__throughput.avg.pct_of_peak_sustained_elapsed"
TIME+=" dram__throughput.avg.pct_of_peak_sustained_elapsed l1tex__throughput.avg.pct_of_peak_sustained_active"
TIME+=" gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed sm__warps_active.avg.pct_of_peak_sustained_active"
TIME+=" launch__registers_per_thread launch__occupancy_limit_registers launch__waves_per_multiprocessor launch__shared_mem_config_size"
for why in barrier branch_resolve dispatch_stall drain imc_miss lg_throttle long_scoreboard math_pipe_throttle membar mio_throttle misc \
    no_instruction not_selected selected short_scoreboard sleeping tex_throttle wait gmma; do
    TIME+=" smsp__average_warps_issue_stalled_${why}_per_issue_active.ratio"
done
known() # the metrics that this ncu knows, with commas
{
    for metric in "$@"; do
        if [ ! -s "$work/names" ] || grep -qx "${metric%%.*}" "$work/names" || [[ $metric == launch__* ]]; then echo "$metric"; fi
    done | paste -sd,
}
metrics=$(known $TIME)
first=0
begin=$SECONDS
: > "$out/timing.csv"
while :; do # in parts of 60 launches, so that what was recorded is kept when time runs out
    ncu --csv --page raw --print-units base --metrics "$metrics" "$work/hw_memory" "$here/timing.ptx" timing $first 60 > "$work/ncu.out" 2> "$work/ncu.err"
    # ncu prints the program's own output first: keep the table; its first two rows (names, units) once.
    sed -n '/^"ID"/,$p' "$work/ncu.out" | grep '^"' > "$work/part.csv"
    rows=$(wc -l < "$work/part.csv")
    if [ -s "$out/timing.csv" ]; then tail -n +3 "$work/part.csv"; else cat "$work/part.csv"; fi >> "$out/timing.csv"
    first=$((first + 60))
    echo "$(wc -l < "$out/timing.csv") rows in $((SECONDS - begin)) s"
    if [ "$rows" -lt 62 ]; then break; fi
done
python3 "$here/../memory/trim.py" "$metrics" < "$out/timing.csv" > "$work/trimmed.csv" && mv "$work/trimmed.csv" "$out/timing.csv"
grep -hv '==PROF==' "$work/ncu.err" "$work/ncu.out" | grep '==' | tail -5
ls -la "$out"
