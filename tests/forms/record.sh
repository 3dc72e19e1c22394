#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Record what every form computes, on a machine with a GPU of compute capability 9.0 and nvcc.
# usage: record.sh OUT [CUBINS [OURS]]
# Writes OUT/golden.txt (digests and samples, a line a form), OUT/refused.txt (what ptxas refuses) and OUT/machine.txt. CUBINS:
# a folder that assemble.sh filled before, which takes longer than the recording. OURS: the output of `forms_test ours`; the
# bits of all chunks that differ from it go to OUT/bits.bin.
set -eu
out=$1 cubins=${2:-} ours=${3:-}
. "$(dirname "$0")/../support/script.sh"
mkdir -p "$out"
common="$here/forms_table.c $here/forms_ptx.c $here/forms_input.c"
nvcc -x c -Xcompiler -D_GNU_SOURCE -I"$here" "$here/forms_record.c" "$here/forms_golden.c" $common -o "$work/forms_record" -lcuda
if [ -z "$cubins" ]; then
    nvcc -x c -Xcompiler -D_GNU_SOURCE -I"$here" "$here/forms_make.c" $common -o "$work/forms_make"
    cubins=$work/cubins
    "$here/assemble.sh" "$work/forms_make" "$cubins"
fi
cp "$cubins/refused.txt" "$out/refused.txt"
describe_machine > "$out/machine.txt"
"$work/forms_record" "$here/forms.txt" "$cubins" "$out/golden.txt" ${ours:+"$ours" "$out/bits.bin"}
