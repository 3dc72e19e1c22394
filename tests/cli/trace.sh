#!/bin/sh
# softwarp trace: a timeline that viewers read, the same every time; what its text says; and that the guide's staged copy and
# execute takes the time that the guide's formula gives. usage: trace.sh BUILD SOURCE-TREE
set -u
build=$1 source=$2 softwarp=$1/bin/softwarp
. "$(dirname "$0")/../support/script.sh"
enter_work
must "$softwarp" cc -gline-tables-only -o staged "$source/examples/staged.cu"

expect 2 'is required' "$softwarp" trace ./staged
expect 2 'no program given' "$softwarp" trace -o t.json
expect 2 'cannot run\|not found\|no such' "$softwarp" trace -o none.json ./nothing_there
[ ! -e none.json ] || fail 'a timeline of a program that never ran'

expect 0 'copies that overlap with kernels' "$softwarp" trace -o first.json ./staged -n 1048576 -rounds 8
grep -q 'PASSED' out || fail "the program's own output"
for line in 'Timeline by the virtual clock of h200' '  device 0: .* from the start of its first operation to the end of its last' 'busy .* %' 'idle .* %' \
    'kernels .* us, 5$' 'copies to the device .* 5, 8.389 MB in total' 'critical path' 'compute(float \*, int)'; do
    grep -q -e "$line" out || fail "no '$line' in the summary"
done
cp out summary
OMP_NUM_THREADS=1 SOFTWARP_THREADS=1 "$softwarp" trace -o second.json ./staged -n 1048576 -rounds 8 > out 2> err
cmp -s first.json second.json || fail 'the timeline differs from run to run'
cmp -s out summary || fail 'the summary, or the times that the program printed, differ from run to run'
"$softwarp" trace --device t4 -o t4.json ./staged -n 1048576 -rounds 8 > out 2> err
cmp -s first.json t4.json && fail 'a T4 takes the time of an H200'

python3 - first.json t4.json << 'END' || fail 'the timeline is not right'
import json, sys

def read(path):
    events = json.load(open(path))["traceEvents"]
    rows = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
    return events, rows

events, rows = read(sys.argv[1])
for wanted in ("host thread 1", "stream 1", "copy engine: to the device", "copy engine: from the device", "kernels"):
    assert wanted in rows.values(), wanted
slices = [e for e in events if e["ph"] == "X"]
assert all((e["pid"], e["tid"]) in rows for e in slices)
for key, name in rows.items():  # nothing overlaps within a row
    row = sorted((e["ts"], e["ts"] + e["dur"]) for e in slices if (e["pid"], e["tid"]) == key)
    assert all(a[1] <= b[0] + 1e-3 for a, b in zip(row, row[1:])), name
def of(name):
    return [e for e in slices if rows[(e["pid"], e["tid"])] == name]
kernels, copies = of("kernels"), of("copy engine: to the device")
assert len(kernels) == 5 and len(copies) == 5, (len(kernels), len(copies))
pieces = copies[1:]
assert all(e["args"]["bytes"] == 1 << 20 for e in pieces)
assert all(50 < e["args"]["GB/s"] < 56 or e["args"]["bytes"] < 4 << 20 for e in copies)
launched = [e["ts"] for e in of("host thread 1") if e["name"] == "cudaLaunchKernel"]
assert len(launched) == 5 and all(call < kernel["ts"] for call, kernel in zip(launched, kernels))
slow, _ = read(sys.argv[2])
t4 = [e for e in slow if e["ph"] == "X" and e["name"] == "copy pinned to device"]
assert t4[0]["dur"] > 3 * copies[0]["dur"], "PCIe 3 against PCIe 5"
END

# A program whose critical path is known by construction, and a file as the format wants it.
must "$softwarp" cc -o path "$source/tests/cli/path.cu"
expect 0 'critical path' "$softwarp" trace -o path.json ./path
sed -n '/critical path/,$p' out > way
for kernel in first second third fourth; do
    grep -q "^ *$kernel(unsigned long) .*, 1$" way || fail "$kernel is not on the critical path"
done
grep -q 'copy pinned to device .*, 1$' way || fail 'the copy is not on the critical path'
for kernel in aside shorter late; do
    grep -q "$kernel" way && fail "$kernel is on the critical path"
done
python3 - path.json << 'END' || fail 'kernels that wait for a time do not take that time'
import json, sys

WAITED = {"first": 100, "aside": 60, "second": 50, "shorter": 40, "third": 30, "late": 45, "fourth": 20}
for e in json.load(open(sys.argv[1]))["traceEvents"]:
    if e["ph"] == "X" and e["cat"] == "kernel":  # and what a launch takes
        waited = WAITED[e["name"].split("(")[0]]
        assert waited < e["dur"] < waited + 6, (e["name"], e["dur"])
END
expect 0 'kernels .*, 300$' "$softwarp" trace -o many.json ./path 300
python3 - path.json first.json many.json << 'END' || fail 'not in the trace-event format'
import json, sys

NEEDED = {"X": ("name", "cat", "ts", "dur", "args"), "M": ("name", "args"), "C": ("name", "ts", "args"), "s": ("id", "ts", "cat", "name"),
          "f": ("id", "ts", "cat", "name", "bp")}
for path in sys.argv[1:]:
    trace = json.load(open(path))
    assert trace["displayTimeUnit"] in ("ms", "ns")
    events = trace["traceEvents"]
    for e in events:
        assert e["ph"] in NEEDED and isinstance(e["pid"], int) and isinstance(e["tid"], int), e
        assert all(key in e for key in NEEDED[e["ph"]]), e
        assert e["ph"] == "M" or e["ts"] >= 0 and e.get("dur", 1) > 0, e
        assert e["ph"] != "C" or all(isinstance(v, (int, float)) and v >= 0 for v in e["args"].values()), e
    slices = {}
    for e in events:
        if e["ph"] == "X":
            slices.setdefault((e["pid"], e["tid"]), []).append(e)
    launches = sum(e["cat"] == "kernel" for e in events if e["ph"] == "X") // 2  # in the stream's row and in the engine's
    starts = {e["id"]: e for e in events if e["ph"] == "s"}
    ends = {e["id"]: e for e in events if e["ph"] == "f"}
    assert len(starts) == launches and starts.keys() == ends.keys(), (len(starts), launches)
    for number, e in starts.items():  # from a call that launches to the start of a kernel
        call = [s for s in slices[e["pid"], e["tid"]] if s["ts"] == e["ts"]]
        kernel = [s for s in slices[ends[number]["pid"], ends[number]["tid"]] if s["ts"] == ends[number]["ts"]]
        assert "Launch" in call[0]["name"] and kernel[0]["cat"] == "kernel" and call[0]["ts"] < kernel[0]["ts"]
    last = {}  # counters: in order, and at nothing when all is done
    for e in events:
        if e["ph"] == "C":
            key, value = (e["pid"], e["name"]), sum(e["args"].values())
            assert key not in last or last[key][0] < e["ts"], e
            last[key] = e["ts"], value
    assert last and all(value == 0 for _, value in last.values()), last
counters = {e["name"] for e in json.load(open(sys.argv[2]))["traceEvents"] if e["ph"] == "C"}
assert counters == {"DRAM", "active warps, of maximum", "PCIe to the device", "PCIe from the device"}, counters
peak = max(e["args"]["GB/s"] for e in json.load(open(sys.argv[1]))["traceEvents"] if e["ph"] == "C" and e["name"] == "PCIe to the device")
assert 50 < peak < 56, peak
END

# Sixty times as many launches need no more memory, neither of the program nor of softwarp: the larger of both peaks.
# (Kept one by one they would take 18 MB; how many wait in a queue at a time differs from run to run.)
expect 0 '' "$softwarp" cc -o repeat "$source/tests/cli/many.cu"
python3 - "$softwarp" << 'END' || fail 'memory grows with the number of launches'
import os, sys

def peak(launches):
    child = os.fork()
    if child == 0:
        os.dup2(os.open("out", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
        os.execv(sys.argv[1], [sys.argv[1], "trace", "-o", "repeat.json", "./repeat", str(launches)])
    _, status, usage = os.wait4(child, 0)
    assert status == 0, status
    return usage.ru_maxrss

peak(10)  # compiles
few, many = peak(500), peak(30000)
assert many - few < 8000, (few, many)
END

# The guide: tE + tT/nStreams when execution takes longer, about tT + tE/nStreams when the transfer does.
for options in '-streams 4 -n 1048576 -rounds 1500' '-streams 4' '-streams 8 -n 8388608 -rounds 4'; do
    # shellcheck disable=SC2086
    "$softwarp" profile -o report ./staged $options > out 2> err || fail "staged $options"
    awk '/^sequential/ { one = $2; sum = $(NF - 1) } /^staged in/ { staged = $5; formula = $(NF - 1) }
        END { exit !(staged > 0 && staged < 1.10 * formula && staged > 0.95 * formula && one > 0.98 * sum && one < 1.02 * sum) }' out ||
        fail "the guide's formula with $options"
done
exit $failed
