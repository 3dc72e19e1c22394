#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh NVCC SOURCE PROGRAM: compile when the source is newer (PTX alone), run, and take the program's word. Skipped (77)
# where the toolkit has no Thrust.
set -eu
. "$(dirname "$0")/../support/script.sh"
[ -e "$(dirname "$(readlink -f "$1")")/../include/cccl/thrust" ] || skip "the toolkit has no Thrust"
if [ ! "$3" -nt "$2" ]; then
    "$1" -cudart shared -std=c++17 -gencode arch=compute_90,code=compute_90 "$2" -o "$3"
fi
"$3"
