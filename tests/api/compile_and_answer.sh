#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: compile_and_answer.sh SOFTWARP FILE.cu WORK_DIR [OPTION...]      softwarp cc compiles the program, and it answers as a real GPU did.
set -eu
softwarp=$1 source=$2 program=$3/cc_$(basename "$2" .cu) recorded=${2%.cu}
shift 3
"$softwarp" cc -std=c++17 -arch=sm_90 -w "$@" "$source" -o "$program"
"$(dirname "$0")/answers.sh" "$program" "$recorded.h200.txt" "$recorded.differences"
