#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Metrics by name: every name of metrics.names is known and has a value, and a metric that comes from a model has the value of
# the full report when nothing else is asked for. usage: metrics.sh BUILD SOURCE-TREE
set -u
build=$1 source=$2 softwarp=$1/bin/softwarp
. "$(dirname "$0")/../support/script.sh"
enter_work
must "$softwarp" cc -gline-tables-only -o reduction "$source/examples/reduction.cu"
names=$(grep -v '^#' "$source/tests/cli/metrics.names")
expect 0 PASSED "$softwarp" profile --metrics "$(echo $names | tr ' ' ,)" --csv --page raw -o all.csv ./reduction -kernel shared
expect 0 PASSED "$softwarp" profile --json -o full.json ./reduction -kernel shared

alone='ipc issue_slot_utilization achieved_occupancy stall_memory_dependency inst_issued gld_throughput tex_cache_hit_rate dram_read_bytes
    smsp__average_warps_issue_stalled_wait_per_issue_active.ratio smsp__warps_eligible.avg.per_cycle_active sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_active'
for name in $alone; do
    expect 0 PASSED "$softwarp" profile --metrics "$name" --csv --page raw -o "$name.csv" ./reduction -kernel shared
done
python3 - all.csv full.json "$names" $alone << 'END' || failed=1
import csv, json, sys


def read(path):
    names, units, launch = csv.reader(open(path, newline=""))
    return {n: v.replace(",", "") for n, v in zip(names, launch) if not n.startswith("device__")}


failed = False


def fail(text):
    global failed
    failed = True
    print("FAILED:", text)


have, wanted = read(sys.argv[1]), sys.argv[3].split()
for name in wanted:
    if "__" in name and not have.get(name):
        fail(f"{name}: no value among {len(have)} columns")
full = {n: v["mean"] for n, v in json.load(open(sys.argv[2]))["kernels"][0]["metrics"].items()}
for asked in sys.argv[4:]:
    row = list(read(asked + ".csv").items())[11:]
    if len(row) != 1 or not row[0][1]:
        fail(f"{asked} alone: {row}")
    elif abs(float(row[0][1]) - full[row[0][0]]) > 0.01 * abs(full[row[0][0]]) + 0.01:
        fail(f"{asked} alone: {row}, in the full report {full[row[0][0]]}")
sys.exit(failed)
END

exit $failed
