#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Record what threads get from barriers that lanes of a warp reach apart, on a machine with a GPU and nvcc: some minutes,
# most of it for kernels that never end. usage: tests/hw/barriers/record.sh OUTDIR
# Writes OUTDIR/barriers.txt, and OUTDIR/barriers-machine.txt.
set -eu
out=$1
. "$(dirname "$0")/../../support/script.sh"
mkdir -p "$out"
nvcc -x c "$here/barriers.c" -o "$work/barriers" -lcuda
describe_machine > "$out/barriers-machine.txt"
"$here/forms.sh" "$work/barriers" > "$out/barriers.txt"
wc -l "$out/barriers.txt"
