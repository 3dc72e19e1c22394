#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# nccl.sh BUILD SOURCE-TREE: collectives between devices, threads and processes; what reports, timelines and checks say of them; lost ranks.
set -u
build=$1 source=$2 softwarp=$1/bin/softwarp
. "$(dirname "$0")/../support/script.sh"
enter_work
must "$softwarp" cc -std=c++17 -gline-tables-only -o nccl "$source/tests/cli/nccl.cu" -lnccl
for devices in h200 h200:2 h200:3 h200:8; do
    expect 0 'ranks are done' "$softwarp" run --device $devices ./nccl all
done
# What two H200 computed, bit for bit.
must "$softwarp" cc -std=c++17 -o results "$source/tests/hw/libraries/nccl_results.cu" -lnccl
expect 0 'LastError' "$softwarp" run --device h200:2 ./results
grep -vxFf out "$source/tests/hw/libraries/h200/nccl-results.txt" && fail "not what an H200 computed"
# In processes: each with one device, and each with two.
expect 0 'processes are done' "$softwarp" run ./nccl processes part 3 1
expect 0 'processes are done' "$softwarp" run --device h200:2 ./nccl processes part 4 2
# A rank that ends: the others notice and go on without it, or their devices fail in the end.
expect 0 'processes are done' "$softwarp" run ./nccl processes orphan 3 1
says err 'NCCL: rank 1 has ended, and others wait for it'
expect 0 'rank 2: cudaErrorLaunchFailure' "$softwarp" run ./nccl processes unnoticed 3 1
expect 0 'async 5' "$softwarp" run --device h200:2 ./nccl mismatch
says err 'ncclAllReduce is called with 100 and with 101 elements'
# Reports: a launch of each rank, by the virtual clock at the same time.
expect 0 '2 ranks are done' "$softwarp" profile --device h200:2 -o text ./nccl one
grep -Eq 'ncclAllReduce +100003 int32, 2 ranks +2 .* library' text || fail "the table has no ncclAllReduce: $(head -8 text)"
expect 0 '2 ranks are done' "$softwarp" profile --device h200:2 --json -o report.json ./nccl one
expect 0 '2 ranks are done' "$softwarp" trace --device h200:2 -o trace.json ./nccl one
python3 - report.json trace.json << 'END' || fail "the JSON's routines"
import json, sys
report, trace = (json.load(open(path)) for path in sys.argv[1:])
launches = [l for l in report["launches"] if l["kernel"] == "ncclAllReduce"]
assert len(launches) == 2, len(launches)
for launch in launches:
    routine = launch["routine"]
    assert routine["read_bytes"] == routine["wrote_bytes"] == 400012 and routine["flop"] == 100003, routine
events = [e for e in (trace["traceEvents"] if isinstance(trace, dict) else trace) if e.get("name") == "ncclAllReduce" and e.get("ph") == "X"]
assert len({e["pid"] for e in events}) == 2 and len({(e["ts"], e["dur"]) for e in events}) == 1, events
END
# Of several threads, too: no waits of the virtual clock, no kernels that wait for each other.
expect 0 '3 ranks are done' "$softwarp" profile --device h200:3 -o text ./nccl threads
expect 0 'ERROR SUMMARY: 0 errors' "$softwarp" check --tool all --device h200:2 ./nccl all
expect 4 'Invalid __global__ read of size 400 bytes' "$softwarp" check --device h200:2 ./nccl wrong
says out 'at ncclAllReduce in nccl.cu:'
exit $failed
