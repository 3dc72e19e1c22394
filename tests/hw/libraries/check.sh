#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check.sh BUILD GPU      What Softwarp's libcublas computes, and how long the model says it takes, against what was recorded.
# The times' limits are what was last measured and a margin.
set -u
build=$1 gpu=$2 softwarp=$1/bin/softwarp
. "$(dirname "$0")/../../support/script.sh"
here=$(cd "$(dirname "$0")" && pwd)
enter_work
must "$softwarp" cc -std=c++17 -o results "$here/cublas_results.cu" -lcublas
must "$softwarp" cc -std=c++17 -o times "$here/cublas_times.cu" -lcublas
"$softwarp" run ./results > ours.txt 2> err
if [ $? != 0 ]; then
    grep -q 'no BLAS library' err && skip "$(cat err)"
    fail "the program failed: $(cat err)"
fi
"$here/results.py" "$here/$gpu/cublas-results.txt" ours.txt || fail "results differ"
exit $failed
