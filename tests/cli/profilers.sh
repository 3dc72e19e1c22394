#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What profilers in a program's process get, beside softwarp trace: CUPTI's records have the times of the timeline; ranges of NVTX
# stand in it, from C++ with our header and from Python by ctypes. usage: profilers.sh BUILD SOURCE-TREE
set -u
build=$1 source=$2 softwarp=$1/bin/softwarp
. "$(dirname "$0")/../support/script.sh"
enter_work

# ---- CUPTI
must "$softwarp" cc -std=c++17 -o cupti "$source/tests/api/api_cupti.cu" -lcupti -lcuda
must "$softwarp" trace -o cupti.json ./cupti print
grep -q '^kernel' out || fail 'no records'
python3 - cupti.json out << 'END' || fail "CUPTI's records have other times than the timeline"
import json, sys

events = json.load(open(sys.argv[1]))["traceEvents"]
shown = sorted((round(e["ts"] * 1000), round((e["ts"] + e["dur"]) * 1000)) for e in events
               if e["ph"] == "X" and e["cat"] in ("kernel", "copy") and e["tid"] < 100000000)
lines = [line.split() for line in open(sys.argv[2])]
recorded = sorted((int(w[1]), int(w[2])) for w in lines if len(w) == 3 and w[0] in ("kernel", "copy", "fill"))
assert len(shown) == len(recorded) == 4, (shown, recorded)
assert all(abs(a - b) <= 1 for s, r in zip(shown, recorded) for a, b in zip(s, r)), (shown, recorded)
END

# ---- NVTX
must "$softwarp" cc -o nvtx "$here/nvtx.cu"
expect 0 '^-2 -2 -2 -2$' "$softwarp" run ./nvtx
expect 0 '^0 1 0 -2$' "$softwarp" trace -o nvtx.json ./nvtx
for line in 'ranges of NVTX' '  1 x  outer' '  3 x  solver: step' '  1 x  gr..* .*'; do
    grep -q -e "$line" out || fail "no '$line' in the summary"
done
python3 - nvtx.json << 'END' || fail 'ranges of NVTX are not right'
import json, sys

events = json.load(open(sys.argv[1]))["traceEvents"]
ranges = {}
for e in events:
    if e.get("cat") == "nvtx":
        ranges.setdefault(e["name"], []).append(e)
assert sorted(ranges) == ["(range)", "gr\u00f6\u00dfe \u4e2d", "here", "outer", "step"], sorted(ranges)
end = lambda e: e["ts"] + e.get("dur", 0)
outer, steps, wide, mark = ranges["outer"][0], ranges["step"], ranges["gr\u00f6\u00dfe \u4e2d"][0], ranges["here"][0]
assert len(steps) == 3 and all(s["args"]["domain"] == "solver" and s["dur"] > 0 for s in steps)
assert all(outer["ts"] <= s["ts"] and end(s) <= end(outer) + 0.001 for s in steps)
assert all(end(a) <= b["ts"] + 0.001 for a, b in zip(steps, steps[1:]))
assert mark["ph"] == "i" and wide["ts"] <= mark["ts"] <= end(wide) + 0.001
assert wide["tid"] != outer["tid"] and all(s["tid"] == outer["tid"] for s in steps)
calls = [e for e in events if e.get("cat") == "call" and "Launch" in e["name"]]
assert len(calls) == 3 and all(s["ts"] <= c["ts"] and end(c) <= end(s) + 0.001 for s, c in zip(steps, calls))
END

# From Python, as packages do it: a library with NVTX's header, called by ctypes.
cat > ranges.c << 'END'
#include <nvtx3/nvToolsExt.h>

int push(const char *text);
int pop(void);
int push(const char *text)
{
    return nvtxRangePushA(text);
}
int pop(void)
{
    return nvtxRangePop();
}
END
must "${CC:-cc}" -shared -fPIC -I"$source/cuda/include" -o libranges.so ranges.c -ldl
cat > ranges.py << 'END'
import ctypes

ranges, cuda = ctypes.CDLL("./libranges.so"), ctypes.CDLL("libcudart.so.13")
pointer = ctypes.c_void_p()
levels = [ranges.push(b"all"), ranges.push(b"memory")]
assert cuda.cudaMalloc(ctypes.byref(pointer), ctypes.c_size_t(1 << 20)) == 0
levels += [ranges.pop()]
assert cuda.cudaFree(pointer) == 0
print(*levels, ranges.pop(), ranges.pop())
END
python=$(command -v python3)
expect 0 '^0 1 1 0 -2$' "$softwarp" trace -o python.json "$python" ranges.py
grep -q '"cat": "nvtx".*"name": "memory"' python.json || fail 'no range of Python'
exit $failed
