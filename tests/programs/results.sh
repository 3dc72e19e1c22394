#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: results.sh [PATTERN]      Runs the programs as run.sh does and compares what they print and read back from the device with what an
# H200 gave (programs.h200.tsv). Exit status: 0 equal but for what programs.differences lists, 1 not, 77 there are no programs.
set -u
here=$(dirname "$(readlink -f "$0")")
SOFTWARP_LOGS=$(mktemp -d)
export SOFTWARP_LOGS
trap 'rm -rf "$SOFTWARP_LOGS"' EXIT
"$here/run.sh" "$@"
ran=$?
[ $ran != 77 ] || exit 77
python3 "$here/results.py" compare "$here/programs.h200.tsv" "$here/programs.differences" "$SOFTWARP_LOGS" || exit 1
exit $ran
