#!/bin/sh
# Reports of programs that softwarp cc builds: read as ncu's are, the same for any number of host threads, and of programs
# that fail. usage: reports.sh BUILD SOURCE-TREE
set -u
build=$1 source=$2 softwarp=$1/bin/softwarp
. "$(dirname "$0")/../support/script.sh"
enter_work
for program in "$source/examples/vectoradd.cu" "$source/examples/transpose.cu" "$source/examples/reduction.cu" \
    "$source/tests/cli/faults.cu" "$source/tests/cli/many.cu" "$source/tests/cli/banks.cu"; do
    must "$softwarp" cc -gline-tables-only -o "$(basename "$program" .cu)" "$program"
done

# The script that reads a real GPU's raw page reads ours, and finds the same numbers.
metrics='l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
    l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum launch__grid_size launch__occupancy_limit_warps
    launch__occupancy_limit_shared_mem launch__waves_per_multiprocessor'
expect 0 'PASSED' "$softwarp" profile --csv --page raw -o ours.csv ./vectoradd -n 262144
grep -q 'Kernel Name' out && fail "-o leaves the report off standard output"
if command -v python3 > /dev/null; then
    python3 "$source/tests/cli/read_raw.py" ours.csv $metrics > ours.txt 2> err || fail "read_raw.py on our raw page"
    python3 "$source/tests/cli/read_raw.py" "$source/tests/hw/h200/counters.csv" $metrics > ncu.txt 2> err || fail "read_raw.py on ncu's"
    [ "$(cut -d ' ' -f 2- ours.txt)" = "$(grep -m 1 '^vector_add ' ncu.txt | cut -d ' ' -f 2-)" ] ||
        fail "not as on the GPU: $(cat ours.txt) / $(grep -m 1 '^vector_add ' ncu.txt)"
    python3 "$source/tests/cli/attributes.py" ours.csv "$source/tests/hw/h200/attributes.tsv" "$source/tests/cli/attributes.differences" > out 2> err ||
        fail "attributes of the GPU"
fi

# Banks of shared memory of 8 bytes, where the GPU has that mode: doubles 17 apart lie in different ones, in two passes of 4-byte banks.
passes() # GPU MODE: of the six kernels
{
    "$softwarp" profile --device "$1" --csv --page raw --metrics l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum -o passes.csv ./banks "$2" > out 2> err
    tail -6 passes.csv | awk -F, '{ gsub("\"", "", $NF); printf "%s ", $NF }'
}
[ "$(passes k20x none)" = "1 1 16 1 16 2 " ] || fail "4-byte banks of a K20X"
[ "$(passes k20x device)" = "1 1 16 1 16 1 " ] || fail "8-byte banks of a K20X"
grep -q 'no error: 2' out || fail "cudaDeviceGetSharedMemConfig on a K20X"
[ "$(passes k20x function)" = "1 1 16 1 16 1 " ] || fail "8-byte banks of one kernel on a K20X"
[ "$(passes h200 device)" = "$(passes h200 none)" ] || fail "an H200 has no such mode"

# Byte for byte the same with one host thread and with four, on every page.
same() # PROGRAM PAGE...
{
    program=$1
    shift
    for threads in 1 4; do
        SOFTWARP_THREADS=$threads "$softwarp" profile "$@" -o report.$threads "$program" > out 2> err || fail profile "$@" "$program"
    done
    [ -s report.1 ] || fail "an empty report:" "$@" "$program"
    cmp -s report.1 report.4 || fail "one thread and four differ:" "$@" "$program"
}
same ./reduction --page details

# A sample says how far it may be off; what was simulated whole does not.
expect 0 '' "$softwarp" profile --sample 4 --page details -o sampled ./vectoradd -n 1048576
tr -s '\n ' '  ' < sampled | grep -q "change the L1 hit rate by at most [0-9.]* points, the L2 sectors by [0-9.]* %.* and the time by [1-9][0-9]* %" ||
    fail "a sample does not say how far it may be off: $(cat sampled)"
expect 0 '' "$softwarp" profile --sample 4 --html sampled.html ./vectoradd -n 1048576
grep -q "change the L1 hit rate by at most" sampled.html || fail "an HTML page of a sample that does not say how far it may be off"
expect 0 '' "$softwarp" profile --sample 1 --page details -o whole ./vectoradd -n 1048576
tr -s '\n ' '  ' < whole | grep -q 'Simulating all multiprocessors' && fail "a launch that was simulated whole says how far a sample may be off"
same ./reduction --page source
same ./reduction --csv --page raw
same ./reduction --csv --page details
same ./reduction --csv --page source --print-source cuda,ptx
same ./transpose --json
same ./transpose --page raw

# Two reports: gates hold or fail, whichever format each is in.
expect 0 '' "$softwarp" profile --json -o wide.json ./transpose -kernel naive_row
expect 0 '' "$softwarp" profile --csv --page raw -o high.csv ./transpose -kernel naive_row -bx 8 -by 32
expect 0 'op_st.sum  *2,097,152  *1,048,576  *0.5' "$softwarp" compare wide.json high.csv --fail-if 'gst_transactions>1.05x'
expect 1 'gate failed: naive_row: gst_transactions>1.05x: 1,048,576 -> 2,097,152 (2x)' "$softwarp" compare --fail-if 'gst_transactions>1.05x' high.csv wide.json
expect 0 'all metrics are equal' "$softwarp" compare wide.json wide.json
expect 2 "there is no metric named 'nosuch'" "$softwarp" compare wide.json high.csv --fail-if 'nosuch>1x'
expect 2 "is not a condition" "$softwarp" compare wide.json high.csv --fail-if 'nosuch'
expect 2 'no kernel in common' "$softwarp" compare wide.json "$source/tests/hw/h200/counters.csv"
expect 0 '' "$softwarp" profile --csv -o ours.csv ./vectoradd -n 262144
sed -n '1,2p; /"vector_add/ { p; q }' "$source/tests/hw/h200/counters.csv" > recorded.csv # the same launch under ncu: other names, equal numbers
expect 0 'global_op_ld.sum  *65,536  *65,536      1' "$softwarp" compare recorded.csv ours.csv --all --metrics gld_transactions

# JSON is what its schema and the text about it say.
expect 0 '' "$softwarp" profile --json -o many.json ./many 7 3
expect 0 '' "$softwarp" profile --json --page source -o reduction.json ./reduction
"$softwarp" profile --json -o failed.json ./faults address > out 2> err && fail "faults address"
if command -v python3 > /dev/null; then
    python3 "$source/tests/cli/schema.py" "$source/docs/report-schema.json" "$source/docs/report-schema.md" wide.json many.json reduction.json failed.json > out 2> err ||
        fail "JSON against its schema"
fi
grep -q '"roofline": {"binds": ' wide.json || fail "a kernel without its place among the roofs"
python3 - wide.json << 'END' || fail "schedulers' and warps' statistics do not fit together"
import json, sys

for kernel in json.load(open(sys.argv[1]))["kernels"]:
    m = {name: value["mean"] for name, value in kernel["metrics"].items()}
    slots, issued = m["smsp__issue_active.avg.pct_of_peak_sustained_active"], m["smsp__issue_active.avg.per_cycle_active"]
    assert abs(slots - 100 * issued) < 0.1 and abs(slots + m["smsp__issue_inst0.avg.pct_of_peak_sustained_active"] - 100) < 0.1
    assert issued <= m["smsp__warps_eligible.avg.per_cycle_active"] <= m["smsp__warps_active.avg.per_cycle_active"]
    assert m["smsp__warps_active.avg.per_cycle_active"] <= m["smsp__warps_active.avg.peak_sustained"] == 16
    stalls = sum(value for name, value in m.items() if name.startswith("smsp__average_warps_issue_stalled_"))
    assert abs(m["smsp__average_warp_latency_per_inst_issued.ratio"] - 1 - stalls) < 0.1, (m, stalls)
END
expect 0 'A warp issues an instruction every .* cycles on average' "$softwarp" profile ./vectoradd -n 262144
grep -q 'mean error' out || fail "a first screen that does not say how far its times are off"
expect 0 'not been validated on this GPU' "$softwarp" profile --device t4 ./vectoradd -n 262144
for gpu in h200 h100 a100 v100 m2090; do # in all forms: text, JSON, HTML
    case $gpu in h*) trust='mean error' json='"time": "validated"' ;; *) trust='not been validated on this GPU' json='"time": "not validated on this GPU"' ;; esac
    expect 0 PASSED "$softwarp" profile --device $gpu --json -o trust.json ./vectoradd -n 4096
    expect 0 PASSED "$softwarp" profile --device $gpu --html trust.html ./vectoradd -n 4096
    grep -q "$json" trust.json || fail "JSON of $gpu does not say what its times are worth"
    grep -q "$trust" trust.html || fail "HTML of $gpu does not say what its times are worth"
done
expect 0 'FLOP/byte). The launch: D DRAM' "$softwarp" profile ./vectoradd -n 262144
expect 0 'No floating-point operations. The nearest ceiling is' "$softwarp" profile ./transpose

# HTML: one file, the source's text in it, nothing from elsewhere; well-formed enough for a strict reader.
expect 0 'PASSED' "$softwarp" profile --html page.html ./reduction
expect 0 'PASSED' "$softwarp" profile --html chart.html ./vectoradd -n 262144
grep -q '<svg class=roofline' chart.html || fail "an HTML page without a roofline"
grep -q 'id=k1' page.html && grep -q '__syncthreads' page.html || fail "an HTML page without its kernel or source"
grep -q 'https\{0,1\}:\|<script\|<link\|<img' page.html && fail "an HTML page that needs something else"
if command -v python3 > /dev/null; then
    python3 "$source/tests/cli/tags.py" page.html chart.html > out 2> err || fail "HTML tags"
fi

# PTX as it is understood reads back to the same.
"$softwarp" ptx -o once.ptx "$source/tests/hw/kernels.ptx" 2> err && "$softwarp" ptx -o twice.ptx once.ptx 2> err || fail "softwarp ptx"
cmp -s once.ptx twice.ptx || fail "printed PTX does not print to itself"
expect 3 'kernels.ptx:1:1: ' sh -c 'echo nonsense > kernels.ptx; "$1" ptx kernels.ptx' sh "$softwarp"
expect 2 "cannot read 'nosuch.ptx'" "$softwarp" ptx nosuch.ptx

# Constants by line: 32 addresses of a warp are served one after another.
"$softwarp" cc -gline-tables-only -I "$source/tests/advice" -o constants "$source/tests/advice/constant-serialisation.cu" > out 2> err || fail "softwarp cc constants"
expect 0 'Constant addresses' "$softwarp" profile --page source ./constants fault
expect 0 '' "$softwarp" profile --json --page source -o constants.json ./constants fault
expect 0 '' "$softwarp" profile --csv --page source -o constants.csv ./constants fault
python3 - "$source" constants.json constants.csv << 'END' || fail "constants by line"
import csv, json, sys

lines = [line for line in json.load(open(sys.argv[2]))["launches"][0]["lines"] if "constant" in line]
(line,) = lines
assert line["constant"]["units"] == 32 * line["constant"]["requests"] == 32 * line["constant"]["ideal"] > 0, line
(row,) = [row for row in csv.DictReader(open(sys.argv[3])) if row["Constant Requests"]]
assert row["Constant Addresses"].replace(",", "") == str(line["constant"]["units"]) and int(row["Line No"]) == line["line"], row
assert any("parameter" in line for line in json.load(open(sys.argv[2]))["launches"][0]["lines"])
END

# Filters, nvprof's names, source lines.
expect 0 'naive_row' "$softwarp" profile -k naive -c 1 --metrics gst_efficiency --csv --page raw ./transpose
expect 0 'no kernel was profiled' "$softwarp" profile -k nosuchkernel ./transpose
expect 0 'transpose.cu:[0-9]' "$softwarp" profile ./transpose
expect 0 'out\[x \* ny + y\]' "$softwarp" profile --page source ./transpose

expect 2 "'sideways' is not a value of --order: use one of hot, file" "$softwarp" profile --order sideways ./transpose
"$softwarp" profile --page source --print-source ptx --csv -o ptx.csv ./transpose > out 2> err
grep -q 'st.global.f32' ptx.csv && ! grep -q 'in\[y \* nx' ptx.csv || fail "--print-source ptx has instructions alone"

# Many launches: summed up, or one by one; memory does not follow their number.
expect 0 '2 kernels, 401 launches' "$softwarp" profile ./many 400
grep -q 'Invocations 400$' out || fail "launches that are alike stand together"
[ "$(grep -c '^count_up' out)" = 1 ] || fail "one section for all"
expect 2 'applies to the details page' "$softwarp" profile --print-summary none --json ./many 2
"$softwarp" profile --csv --print-summary per-kernel -o summary.csv ./many 9 2 > out 2> err
grep -q '"count_up(int \*)","(64, 1, 1)","(2, 1, 1)","0","9.0","4","Launch Statistics","Threads","thread","128","128","128","exact"' summary.csv ||
    fail "CSV of launches taken together: $(grep -m 3 count_up summary.csv)"
expect 0 'many: PASSED' "$softwarp" profile --print-summary none ./many 20
[ "$(grep -c '^count_up(int \*) ' out)" = 20 ] || fail "--print-summary none shows each launch"

# Programs that fail: CUDA's error is the program's to report; ours says where.
expect 0 'wait: cudaSuccess' "$softwarp" run ./faults none
expect 1 'huge: cudaErrorMemoryAllocation' "$softwarp" run ./faults oom
expect 1 'wait: cudaErrorIllegalAddress' "$softwarp" run ./faults address
grep -q '^==SOFTWARP== .*illegal address 0x10' err || fail "where the illegal address was"
expect 1 'This launch failed: an illegal memory access' "$softwarp" profile ./faults address

# A kernel that never ends, interrupted.
for command in run profile; do
    "$softwarp" $command ./faults forever > out 2> err &
    pid=$!
    i=0
    until grep -q spinning out || [ $i = 100 ]; do sleep 0.1; i=$((i + 1)); done
    kill -TERM $pid
    wait $pid 2> /dev/null
    got=$?
    [ $got = 143 ] || fail "$command: interrupted, exit status $got, not 143"
done

exit $failed
