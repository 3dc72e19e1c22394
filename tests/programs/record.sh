#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: record.sh      On a machine with a GPU and nvcc, with SOFTWARP_PROGRAMS as for run.sh: runs every program three times and prints, for
# programs.h200.tsv, digests of what it printed and read back from the device, of what was the same each time.
set -eu
here=$(dirname "$(readlink -f "$0")")
. "$(dirname "$0")/../support/script.sh"
export SOFTWARP_LIB="${SOFTWARP_LIB:-/usr/local/cuda/lib64}" SOFTWARP_INTERPOSE="$work/interpose.so"
cc -O2 -std=c17 -fPIC -shared -o "$SOFTWARP_INTERPOSE" "$here/interpose.c" -ldl
for run in 1 2 3; do SOFTWARP_LOGS=$work/$run "$here/run.sh" >&2 || true; done
recorded_by tests/programs/record.sh
echo "# program	digests of the lines it printed each time	results: what, bytes, digest; * differs from run to run"
python3 "$here/results.py" record "$work/1" "$work/2" "$work/3"
