#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Record the approximate instructions on a machine with a GPU and nvcc. usage: tests/hw/approx/record.sh OUTDIR
# Writes OUTDIR/digests.txt and machine.txt (GPU, driver, toolkit, date); says which functions differ from the model.
set -eu
out=$1
root=$(cd "$(dirname "$0")/../../.." && pwd)
. "$(dirname "$0")/../../support/script.sh"
mkdir -p "$out"
nvcc -O2 -std=c++17 -arch=native -fmad=false -I"$root/src" -I"$root/tests/oracle" "$root/tests/hw/approx/record.cu" -o "$work/record"
describe_machine > "$out/machine.txt"
"$work/record" > "$out/digests.txt"
