#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check.sh BUILD GPU   Run the recorded cases under `softwarp profile` and compare outputs and counters with tests/hw/GPU.
set -eu
build=$1
gpu=$2
. "$(dirname "$0")/../support/script.sh"
"$build/bin/softwarp" profile --device "$gpu" --set full --csv --page raw -o "$work/ours.csv" "$build/tests/hw_cases" "$here/kernels.ptx" > "$work/results.txt"
diff "$here/$gpu/results.txt" "$work/results.txt" || die "outputs differ from the GPU's"
python3 "$here/compare.py" "$here/$gpu/counters.csv" "$work/ours.csv" "$here/differences.txt"
