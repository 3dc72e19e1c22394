#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: exports_toolkit.sh LIBRARY STUB    The library exports every name that NVIDIA's stub of it does.
set -eu
library=$1 stub=$2
. "$(dirname "$0")/../support/script.sh"
[ -e "$stub" ] || skip "no $stub"
exported "$library" > "$work/have"
exported "$stub" > "$work/stub"
missing=$(LC_ALL=C comm -23 "$work/stub" "$work/have")
[ -z "$missing" ] || die "not exported: $missing"
