#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: test.sh BUILD [CTEST OPTIONS...]    Run tests, as many at a time as there are processors. Afterwards: what was skipped and
# why, what failed, and how many passed.
set -u
build=$1
shift
results=$build/Testing/results.xml
rm -f "$results"
ctest --test-dir "$build" --output-on-failure --no-tests=error -j "$(nproc)" --output-junit "$PWD/$results" "$@"
status=$?
python3 "$(dirname "$0")/test_summary.py" "$results" || status=1
exit $status
