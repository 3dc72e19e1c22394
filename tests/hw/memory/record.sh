#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Record the memory hierarchy's counters on a machine with a GPU, nvcc and ncu.
# usage: record.sh OUTDIR [walks|cases|textures|hints|contention|meetings|stores|lines ...]
# Writes OUTDIR/{walks,cases,textures,hints,contention,meetings,stores}.csv (ncu, one row a launch), lines.txt (what L1 holds after sequences of
# accesses: lines.c), probe.txt (where blocks run, latencies), machine.txt (GPU, driver, toolkit, date). The .ptx are used as
# committed, so that the GPU's ptxas and Softwarp start from the same text; remake them with
#   nvcc -arch=sm_90 -lineinfo -ptx memory.cu -o memory.ptx   (then cut the folders in its .file lines)
# Cache control is ncu's default (all caches are flushed before each pass), clock control too (locked to the base clock).
set -u
out=$1
shift
. "$(dirname "$0")/../../support/script.sh"
mkdir -p "$out"
nvcc -x c -I"$here" -I"$here/../timing" -I"$here/../../support" "$here/memory.c" -o "$work/hw_memory" -lcuda || exit 1
describe_machine ,clocks.max.sm,clocks.max.mem,memory.total > "$out/machine.txt"
"$work/hw_memory" "$here/memory.ptx" probe > "$out/probe.txt" || exit 1
ncu --query-metrics > "$work/known" 2>&1
awk '{print $1}' "$work/known" | sort -u > "$work/names"

L1="l1tex__t_sectors.sum l1tex__t_sectors_lookup_hit.sum l1tex__t_sectors_lookup_miss.sum l1tex__t_sector_hit_rate.pct"
for op in ld st atom red; do
    for part in "" _lookup_hit _lookup_miss; do
        L1+=" l1tex__t_sectors_pipe_lsu_mem_global_op_$op$part.sum l1tex__t_sectors_pipe_lsu_mem_local_op_$op$part.sum"
    done
    L1+=" l1tex__t_requests_pipe_lsu_mem_global_op_$op.sum"
done
L2="lts__t_sectors.sum lts__t_sectors.max lts__t_sectors.avg lts__t_sectors_lookup_hit.sum lts__t_sectors_lookup_miss.sum lts__t_sector_hit_rate.pct"
for part in _op_read _op_write _op_atom _op_red _srcunit_tex _srcunit_tex_op_read _srcunit_tex_op_write _srcunit_tex_op_atom \
    _srcunit_tex_op_red _srcunit_tex_lookup_hit _srcunit_tex_lookup_miss _srcunit_tex_op_read_lookup_hit \
    _srcunit_tex_op_read_lookup_miss _srcunit_tex_op_write_lookup_hit _srcunit_tex_op_write_lookup_miss _srcunit_ltcfabric \
    _srcunit_ltcfabric_lookup_hit _srcunit_ltcfabric_lookup_miss _srcunit_ltcfabric_op_read _srcunit_ltcfabric_op_write; do
    L2+=" lts__t_sectors$part.sum"
done
L2+=" lts__t_requests_srcunit_tex.sum lts__d_sectors_fill_device.sum l1tex__m_xbar2l1tex_read_sectors.sum l1tex__m_l1tex2xbar_write_sectors.sum"
L2+=" dram__sectors_read.sum dram__sectors_write.sum dram__bytes_read.sum dram__bytes_write.sum"
REST="idc__requests.sum idc__requests_lookup_hit.sum idc__requests_lookup_miss.sum gpu__time_duration.sum sm__cycles_elapsed.max"
REST+=" sm__cycles_elapsed.avg.per_second dram__cycles_elapsed.avg.per_second sm__cycles_active.avg smsp__inst_executed.sum"
REST+=" sm__throughput.avg.pct_of_peak_sustained_elapsed lts__throughput.avg.pct_of_peak_sustained_elapsed"
REST+=" dram__throughput.avg.pct_of_peak_sustained_elapsed l1tex__throughput.avg.pct_of_peak_sustained_active"
REST+=" gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed sm__warps_active.avg.pct_of_peak_sustained_active"
REST+=" smsp__issue_active.avg.pct_of_peak_sustained_active launch__registers_per_thread launch__occupancy_limit_registers"
REST+=" launch__shared_mem_config_size launch__waves_per_multiprocessor"
for why in barrier branch_resolve dispatch_stall drain imc_miss lg_throttle long_scoreboard math_pipe_throttle membar mio_throttle misc \
    no_instruction not_selected selected short_scoreboard sleeping tex_throttle wait gmma; do
    REST+=" smsp__average_warps_issue_stalled_${why}_per_issue_active.ratio"
done
LRC=$(grep '^lrc__' "$work/names" | head -12 | sed 's/$/.sum/' | tr '\n' ' ')

TEX=$(grep -E '^l1tex__t_(sectors|requests)_pipe_tex' "$work/names" | sed 's/$/.sum/' | tr '\n' ' ') # of textures and surfaces: hits, misses
TEX+=" l1tex__f_wavefronts.sum l1tex__texin_requests.sum l1tex__lsuin_requests.sum smsp__inst_executed_pipe_tex.sum"
STORES="l1tex__m_l1tex2xbar_write_sectors.sum lts__d_sectors_fill_device.sum gpu__time_duration.sum sm__cycles_elapsed.max smsp__inst_executed.sum"
for op in ld st; do
    for part in "" _lookup_hit _lookup_miss; do STORES+=" l1tex__t_sectors_pipe_lsu_mem_global_op_$op$part.sum"; done
    STORES+=" l1tex__t_requests_pipe_lsu_mem_global_op_$op.sum"
done
for op in read write atom red; do STORES+=" lts__t_sectors_srcunit_tex_op_$op.sum lts__t_requests_srcunit_tex_op_$op.sum"; done
STORES+=" lts__t_sectors_srcunit_tex_op_write_lookup_hit.sum lts__t_sectors_srcunit_ltcfabric.sum dram__sectors_read.sum dram__sectors_write.sum"
for why in drain lg_throttle long_scoreboard; do STORES+=" smsp__average_warps_issue_stalled_${why}_per_issue_active.ratio"; done

known() # the metrics that this ncu knows, with commas
{
    for metric in "$@"; do
        if [ ! -s "$work/names" ] || grep -qx "${metric%%.*}" "$work/names" || [[ $metric == launch__* ]]; then echo "$metric"; fi
    done | paste -sd,
}
record() # NAME METRICS PTX: in parts of 60 launches, so that what was recorded is kept when time runs out
{
    local begin=$SECONDS first=0 rows
    : > "$out/$1.csv"
    while :; do
        ncu --csv --page raw --print-units base --metrics "$2" "$work/hw_memory" "$here/$3" "$1" $first 60 > "$work/ncu.out" 2> "$work/ncu.err"
        # ncu prints the program's own output first: keep the table; its first two rows (names, units) once.
        sed -n '/^"ID"/,$p' "$work/ncu.out" | grep '^"' > "$work/part.csv"
        rows=$(wc -l < "$work/part.csv")
        if [ -s "$out/$1.csv" ]; then tail -n +3 "$work/part.csv"; else cat "$work/part.csv"; fi >> "$out/$1.csv"
        first=$((first + 60))
        echo "$1: $(wc -l < "$out/$1.csv") rows in $((SECONDS - begin)) s"
        if [ "$rows" -lt 62 ]; then break; fi
    done
    python3 "$here/trim.py" "$2" < "$out/$1.csv" > "$work/trimmed.csv" && mv "$work/trimmed.csv" "$out/$1.csv"
    grep -hv '==PROF==' "$work/ncu.err" "$work/ncu.out" | grep '==' | tail -5
}
for list in "$@"; do
    case $list in
    walks) record walks "$(known l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum \
        lts__t_sectors_srcunit_tex_op_read.sum lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum lts__t_sectors_srcunit_ltcfabric.sum \
        dram__sectors_read.sum launch__shared_mem_config_size $LRC)" memory.ptx ;;
    cases) record cases "$(known $L1 $L2 $REST)" memory.ptx ;;
    textures) record textures "$(known $L1 $TEX $L2 $REST)" textures.ptx ;;
    hints) record hints "$(known $L1 $L2 $LRC $REST)" hints.ptx ;;
    meetings) record meetings "$(known lts__t_sectors_srcunit_tex_op_read.sum lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum \
        lts__t_requests_srcunit_tex_op_read.sum l1tex__m_xbar2l1tex_read_sectors.sum lts__t_sectors_srcunit_ltcfabric.sum dram__sectors_read.sum \
        l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum lts__t_sectors_srcunit_tex_op_write.sum lts__t_requests_srcunit_tex_op_write.sum \
        l1tex__m_l1tex2xbar_write_sectors.sum)" meetings.ptx ;;
    stores) record stores "$(known $STORES)" stores.ptx ;;
    lines) nvcc -x c -I"$here/../../support" "$here/lines.c" -o "$work/hw_lines" -lcuda && "$work/hw_lines" "$here/lines.ptx" 32 > "$out/lines.txt" ;;
    contention) record contention "$(known $L1 $L2 $REST smsp__inst_issued.sum)" contention.ptx ;;
    esac
done
ls -la "$out"
