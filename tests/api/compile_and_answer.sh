#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: compile_and_answer.sh SOFTWARP FILE.cu WORK_DIR      softwarp cc compiles the program, and it answers as a real GPU did.
set -eu
program=$3/cc_$(basename "$2" .cu) recorded=${2%.cu}
"$1" cc -std=c++17 -arch=sm_90 -w "$2" -o "$program"
"$(dirname "$0")/answers.sh" "$program" "$recorded.h200.txt" "$recorded.differences"
