#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check.sh BUILD COMPILER    Barriers that lanes of a warp reach apart, beside what an H100 did (record.sh).
set -eu
. "$(dirname "$0")/../../support/script.sh"
"$here/forms.sh" "$1/tests/hw_barriers" "$2" > "$work/ours.txt" 2> "$work/err" || die "$1"
python3 "$here/check.py" "$here/../h100/barriers.txt" "$work/ours.txt" "$here/differences.txt"
