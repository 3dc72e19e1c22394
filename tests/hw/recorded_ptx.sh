#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The PTX that tests run in the place of what nvcc would make of a program on their machine.
#   recorded_ptx.sh write    make it anew, with nvcc 13.0
#   recorded_ptx.sh          fails when the files are not what nvcc makes of the sources; skipped with another version
set -eu
. "$(dirname "$0")/../support/script.sh"
nvcc=${SW_NVCC:-nvcc}
release=$(sed -n 's/^\/\/ Cuda compilation tools, release .*, V//p' "$here/bulk.ptx")
"$nvcc" --version | grep -q "V$release" || skip "the recorded PTX is of nvcc $release; this is another"
for name in bulk copies peer; do
    "$nvcc" -O3 -std=c++17 -arch=compute_90 -ptx -o "$work/$name.ptx" "$here/$name.cu"
    [ "${1-}" != write ] || cp "$work/$name.ptx" "$here/$name.ptx"
    diff "$here/$name.ptx" "$work/$name.ptx"
done
