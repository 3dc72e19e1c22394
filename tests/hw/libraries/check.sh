#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check.sh BUILD GPU LIBRARY      What Softwarp's library computes, against what was recorded of NVIDIA's (record.sh).
set -u
build=$1 gpu=$2 library=$3 softwarp=$1/bin/softwarp
. "$(dirname "$0")/../../support/script.sh"
here=$(cd "$(dirname "$0")" && pwd)
enter_work
export SOFTWARP_THREADS=1    # tests run beside each other
export SOFTWARP_TIERS=first # a program's kernels run once
# shellcheck disable=SC2046
must "$softwarp" cc -std=c++17 -o results "$here/${library}_results.cu" $("$here/link.sh" "$library")
"$softwarp" run ./results > ours.txt 2> err
if [ $? != 0 ]; then
    grep -q 'no BLAS library' err && skip "$(cat err)"
    fail "the program failed: $(cat err)"
fi
compare=$here/results.py
[ ! -x "$here/${library%%-*}_results.py" ] || compare=$here/${library%%-*}_results.py
"$compare" "$here/$library.allowed" "$here/$gpu/$library-results.txt" ours.txt || fail "results differ"
exit $failed
