#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: record_language.sh FOLDER      On a machine with a GPU and nvcc: what api_language and api_nested_answers print there.
set -eu
out=$1
. "$(dirname "$0")/../support/script.sh"
head=$(recorded_by record_language.sh)
nvcc -cudart static -arch=sm_90 -std=c++17 -w -o "$out/api_language" "$here/api_language.cu"
nvcc -cudart static -arch=sm_90 -std=c++17 -w -rdc=true -o "$out/api_nested_answers" "$here/api_nested_answers.cu" -lcudadevrt
for program in api_language api_nested_answers; do
    echo "$head"
    "$out/$program" | while read -r part; do
        "$out/$program" "$part" || echo "exit status $?"
    done
done > "$out/answers.txt"
