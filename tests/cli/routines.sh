#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# routines.sh BUILD SOURCE-TREE: routines of libraries that stand in for NVIDIA's, in reports, timelines and checks.
set -u
build=$1 source=$2 softwarp=$1/bin/softwarp
. "$(dirname "$0")/../support/script.sh"
enter_work
must "$softwarp" cc -gline-tables-only -o routines "$source/tests/cli/routines.cu" -lcublas
"$softwarp" run ./routines > out 2> err
[ $? != 77 ] || skip "$(cat err)"
expect 0 'first 1.67772e+07' "$softwarp" run ./routines
expect 0 'first' "$softwarp" profile -o text ./routines
grep -Eq '1 +cublasSgemm +m 256, n 256, k 256, NN +2 .* library' text || fail "the table has no cublasSgemm"
grep -q "^cublasSgemm (m 256, n 256, k 256, NN), Context 1, Stream 7, Device 0, CC 9.0, Invocations 2" text || fail "no title"
grep -q "NVIDIA's kernels are not run" text || fail "not said that the time is modelled"
! grep -q 'Launch enough blocks' text || fail "advice on a kernel that is not the program's"
expect 0 'first' "$softwarp" profile --json -o report.json ./routines
python3 "$source/tests/cli/schema.py" "$source/docs/report-schema.json" "$source/docs/report-schema.md" report.json || fail "the JSON does not fit its schema"
python3 - report.json << 'END' || fail "the JSON's routine"
import json, sys
report = json.load(open(sys.argv[1]))
launch = [l for l in report["launches"] if l["kernel"] == "cublasSgemm"]
routine = launch[0]["routine"]
assert len(launch) == 2 and routine["flop"] == 2 * 256 ** 3 and routine["math"] == "FP32", routine
assert routine["read_bytes"] == 2 * 4 * 256 ** 2 and routine["wrote_bytes"] == 4 * 256 ** 2, routine
assert list(launch[0]["metrics"]) == ["gpu__time_duration.sum", "sm__cycles_elapsed.max"], launch[0]["metrics"]
END
expect 0 'first' "$softwarp" profile -k cublas --csv --page raw -o raw.csv ./routines
[ "$(grep -c '"cublasSgemm"' raw.csv)" = 2 ] && ! grep -q '"fill' raw.csv || fail "-k cublas: $(cat raw.csv)"
expect 0 'first' "$softwarp" trace -o trace.json ./routines
[ "$(grep -o '"name": *"cublasSgemm"' trace.json | wc -l)" -ge 2 ] || fail "the timeline has no cublasSgemm"
expect 0 'ERROR SUMMARY: 0 errors' "$softwarp" check --tool all ./routines
expect 4 'Invalid __global__ read of size 1024 bytes' "$softwarp" check ./routines wrong
says out 'at cublasSgemm in routines.cu:25'
exit $failed
