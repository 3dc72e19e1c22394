#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ranges.sh BUILD SOURCE-TREE: ranges of NVTX in the reports of profile, and filters by them: pushed and started ranges, domains,
# threads, processes, graphs, routines of libraries.
set -u
build=$1 source=$2 softwarp=$1/bin/softwarp
. "$(dirname "$0")/../support/script.sh"
enter_work
must "$softwarp" cc -gline-tables-only -o ranges "$source/tests/cli/ranges.cu" -lcublas
"$softwarp" run ./ranges > out 2> err
[ $? != 77 ] || skip "$(cat err)"

# ---- text
must "$softwarp" profile -o text ./ranges
grep -Eq '^  NVTX range +Launches +Time~ +Of all +Hottest kernel +Of range' text || fail "no table: $(cat text)"
for line in '  outer  +8 .* large' '    solver@step  +6 .* large' '      solver@inner  +3 .* small' '    mid/dle  +1 .* small' \
    '      deep  +1 .* small' '  thread  +1 .* worker' '  whole  +2 ' '  a\[0\],b  +1 .* small' '  replay  +1 .* captured' \
    '  blas  +1 .* cublasSgemm'; do
    grep -Eq "^$line" text || fail "no row '$line': $(sed -n '/NVTX range/,/^$/p' text)"
done
! grep -Eq '^ +capture ' text || fail 'a captured launch counts in the range of its capture'
COLUMNS=200 must "$softwarp" profile -o wide ./ranges
grep -q '^  NVTX ranges: outer (1); outer > solver@step > solver@inner (3); outer > mid/dle > deep, whole, a\[0\],b (1)$' wide ||
    fail "ranges of small: $(grep 'NVTX ranges' text)"
grep -q '^  NVTX ranges: thread, whole$' text || fail 'a thread does not have the started range, or has that of another thread'
must "$softwarp" profile --metrics inst_executed -o named ./ranges
grep -q '^  NVTX ranges: replay$' named || fail 'no ranges beside named metrics'
must "$softwarp" profile --lang zh -o chinese ./ranges
grep -q 'NVTX 区间' chinese || fail 'no Chinese'
cat > none.cu << 'END'
__global__ void k() {}
int main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }
END
must "$softwarp" cc -o none none.cu
must "$softwarp" profile -o without ./none
! grep -q NVTX without || fail 'ranges of a program that has none'

# ---- JSON and HTML
must "$softwarp" profile --json -o report.json ./ranges
python3 "$source/tests/cli/schema.py" "$source/docs/report-schema.json" "$source/docs/report-schema.md" report.json ||
    fail 'the JSON does not fit its schema'
python3 - report.json << 'END' || fail 'ranges of the JSON'
import json, sys

report = json.load(open(sys.argv[1]))
launches = report["launches"]
assert len(launches) == 12 and "nvtx" not in launches[0] and launches[0]["kernel"] == "outside()", launches[0]
assert launches[1]["nvtx"] == {"thread": 1, "ranges": [{"range": "outer", "domain": "", "kind": "push/pop"}]}, launches[1]["nvtx"]
worker = next(l for l in launches if l["kernel"] == "worker()")
assert worker["nvtx"]["thread"] != 1 and [r["kind"] for r in worker["nvtx"]["ranges"]] == ["push/pop", "start/end"]
rows = report["nvtx_ranges"]
time = lambda chosen: sum(l["metrics"]["gpu__time_duration.sum"]["value"] for l in launches if chosen(l))
for row in rows:
    inside = lambda l: any(r["range"] == row["range"] and r["domain"] == row["domain"] for r in l.get("nvtx", {"ranges": []})["ranges"])
    assert row["launches"] == sum(map(inside, launches)), row
    assert abs(row["time_ns"] - time(inside)) <= 0.01 * row["time_ns"] + 1, (row, time(inside))
    assert abs(row["time_share"] - time(inside) / time(lambda l: True)) < 0.01, row
depth = {row["range"]: row["depth"] for row in rows}
assert depth == {"outer": 0, "step": 1, "inner": 2, "mid/dle": 1, "deep": 2, "thread": 0, "whole": 0, "a[0],b": 0, "replay": 0, "blas": 0}, depth
order = [row["range"] for row in rows]
assert order.index("outer") < order.index("step") < order.index("inner") and order.index("mid/dle") + 1 == order.index("deep"), order
END
must "$softwarp" profile --html report.html ./ranges
grep -q 'NVTX range' report.html && grep -q '>a\[0\],b<' report.html || fail 'no ranges in the HTML'

# ---- CSV: as it was, and with ncu's columns
columns='"Host Name","thread Domain:Push/Pop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg","Id:Domain:Start/Stop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg","Kernel Name"'
must "$softwarp" profile --csv --page raw -o raw.csv ./ranges
! grep -q 'Push/Pop' raw.csv || fail 'columns of ranges without --nvtx'
for page in raw details; do
    must "$softwarp" profile --nvtx --csv --page $page --metrics gpu__time_duration.sum -o $page.csv ./ranges
    head -1 $page.csv | grep -q "$columns" || fail "columns of $page: $(head -1 $page.csv)"
done
python3 - raw.csv details.csv << 'END' || fail "cells of ncu's columns"
import csv, sys

for name in sys.argv[1:]:
    rows = [row for row in csv.DictReader(open(name)) if row["ID"]]
    pushed = {row["Kernel Name"]: row[next(c for c in row if "Push/Pop" in c)] for row in rows}
    started = {row["Kernel Name"]: row[next(c for c in row if "Start/Stop" in c)] for row in rows}
    none = ":none:none:none:none:none:none"
    assert pushed["outside()"] == started["outside()"] == "", pushed
    assert pushed["large(float *)"] == '1  "<default domain>:outer%s"  "solver:step%s"' % (none, none), pushed
    assert started["worker()"] == '"none:<default domain>:whole%s"' % none, started
END
must "$softwarp" profile --print-nvtx-rename kernel --csv --page raw -o renamed.csv ./ranges
for name in outside outer step inner deep thread replay blas; do
    grep -Eq "\"$name(\(\))?\"" renamed.csv || fail "no kernel named $name"
done

# ---- filters: which launches each expression chooses
chosen() { # kernels, options
    want=$1
    shift
    must "$softwarp" profile --csv --page raw --metrics inst_executed,gpu__time_duration.sum -o chosen.csv "$@" ./ranges
    got=$(python3 -c 'import csv, sys
print(" ".join(row["Kernel Name"].split("(")[0] for row in csv.DictReader(open(sys.argv[1])) if row["ID"]))' chosen.csv)
    [ "$got" = "$want" ] || fail "$*: '$got', not '$want'"
}
chosen 'small large small large small large small small' --nvtx-include outer/
chosen 'large small large small large small' --nvtx-include solver@step/
chosen 'small small small' --nvtx-include solver@step/inner
chosen 'large large large' --nvtx-include solver@step]
chosen 'small large large large' --nvtx-include outer/ --nvtx-exclude deep/ --nvtx-exclude 'solver@step/inner'
chosen 'small' --nvtx-include outer/ --nvtx-exclude 'outer]'
chosen 'small' --nvtx-include 'outer/*/deep'
chosen 'small' --nvtx-include 'outer/+/deep]'
chosen 'small' --nvtx-include 'mid\/dle/'
chosen 'small worker' --nvtx-include whole
chosen 'small' --nvtx-include 'whole,a\[0\]\,b'
chosen 'worker' --nvtx-include '[thread'
chosen 'captured cublasSgemm' --nvtx-include replay/ --nvtx-include blas/
chosen 'outside captured cublasSgemm' --nvtx-exclude outer/ --nvtx-exclude whole
chosen 'small worker captured' --nvtx --nvtx-include 'regex:^(deep|thread|re.*)]'
chosen 'large' --nvtx-include solver@step/ -k large -s 1 -c 1
expect 0 '' "$softwarp" profile --nvtx-include nowhere/ ./ranges
says err 'ranges of NVTX in which kernels were launched: outer/, solver@step/, solver@inner/'
says err 'none was launched in the ranges that --nvtx-include and --nvtx-exclude choose'
expect 0 '' "$softwarp" profile --nvtx-include A/ ./none
says err 'no range of NVTX was open'
for wrong in 'A*/' 'A//B' 'A/*' 'D@A,E@B' 'regex:(/' ''; do
    expect 2 '' "$softwarp" profile --nvtx-include "$wrong" ./none
done
expect 2 '' "$softwarp" profile --print-nvtx-rename thread ./none
expect 0 '' env NVTX_INJECTION64_PATH=/nowhere.so "$softwarp" profile --nvtx ./none
says err 'NVTX_INJECTION64_PATH is set'

# ---- several processes: their ranges of one name are one
must "$softwarp" profile -o twice sh -c './ranges && ./ranges'
grep -Eq '^  outer  +16 ' twice || fail "two processes: $(grep outer twice)"

# ---- the same report again
must "$softwarp" profile --json -o again.json ./ranges
cmp -s report.json again.json || fail 'two reports differ'
exit $failed
