#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: forms.sh BARRIERS [COMPILER]    Runs the program that barriers.c makes with every form of the barrier.
set -eu
. "$(dirname "$0")/../../support/script.sh"
while read -r form aligned red; do
    "${2:-cc}" -E -P -x assembler-with-cpp -DALIGNED="$aligned" -DRED="$red" "$here/barriers.ptx.in" > "$work/$form.ptx"
    "$1" "$form" "$work/$form.ptx" "$here/cases.txt"
done <<FORMS
bar.sync 1 0
barrier.sync 0 0
bar.red 1 1
barrier.red 0 1
FORMS
