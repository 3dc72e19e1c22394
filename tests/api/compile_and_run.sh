#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: compile_and_run.sh SOFTWARP FILE.cu WORK_DIR      softwarp cc compiles the program, and it prints ok.
set -eu
program=$3/cc_$(basename "$2" .cu)
"$1" cc -std=c++17 "$2" -o "$program"
"$program" | tee "$program.txt"
grep -qx ok "$program.txt"
