#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: compile_and_run.sh SOFTWARP FILE.cu WORK_DIR [OPTION...]      softwarp cc compiles the program, and it prints ok.
set -eu
softwarp=$1 source=$2 program=$3/cc_$(basename "$2" .cu)
shift 3
"$softwarp" cc -std=c++17 "$@" "$source" -o "$program"
"$program" | tee "$program.txt"
grep -qx ok "$program.txt"
