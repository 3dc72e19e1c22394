#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# transforms.sh BUILD SOURCE-TREE: transforms of cuFFT in reports, timelines and checks.
set -u
build=$1 source=$2 softwarp=$1/bin/softwarp
. "$(dirname "$0")/../support/script.sh"
enter_work
must "$softwarp" cc -gline-tables-only -o transforms "$source/tests/cli/transforms.cu" -lcufft
expect 0 'status 0' "$softwarp" run ./transforms
expect 0 'status 0' "$softwarp" profile --json -o report.json ./transforms
python3 "$source/tests/cli/schema.py" "$source/docs/report-schema.json" "$source/docs/report-schema.md" report.json || fail "the JSON does not fit its schema"
python3 - report.json << 'END' || fail "the JSON's routines"
import json, math, sys
launches = json.load(open(sys.argv[1]))["launches"]
assert [l["kernel"] for l in launches] == ["cufftExecR2C", "cufftExecC2R"], launches
n, half = 48 * 64, 48 * 33
for launch, read, wrote in zip(launches, (4 * n, 8 * half), (8 * half, 4 * n)):
    routine = launch["routine"]
    assert routine["shape"] == "48 x 64, batch 3, " + launch["kernel"][-3:] + ", f32", routine
    assert routine["flop"] == round(3 * 2.5 * n * math.log2(n)) and routine["math"] == "FP32", routine
    assert (routine["read_bytes"], routine["wrote_bytes"]) == (3 * read, 3 * wrote), routine
    assert 5e3 < launch["metrics"]["gpu__time_duration.sum"]["value"] < 2e4, launch["metrics"]
END
expect 0 'status 0' "$softwarp" trace -o trace.json ./transforms
[ "$(grep -o '"name": *"cufftExecR2C"' trace.json | wc -l)" -ge 1 ] || fail "the timeline has no cufftExecR2C"
expect 0 'ERROR SUMMARY: 0 errors' "$softwarp" check --tool all ./transforms
expect 4 'Invalid __global__ write of size' "$softwarp" check ./transforms wrong
says out 'at cufftExecC2R in transforms.cu:21'
exit $failed
