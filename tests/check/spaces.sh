#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# softwarp check finds each wrong access of spaces.cu, with its space, line, thread and place, and nothing in the mended twin; the
# report is the same at any number of threads. usage: spaces.sh BUILD
set -u
# shellcheck source=tests/support/script.sh
. "$(dirname "$0")/../support/script.sh"
softwarp=$1/bin/softwarp
# shellcheck source=tests/support/check_cases.sh
. "$(dirname "$0")/../support/check_cases.sh"
must "$softwarp" cc -O2 -arch sm_90 -lineinfo -o "$work/spaces" "$here/spaces.cu"
check_cases spaces
[ "$cases" -ge 25 ] || fail "$cases cases"
echo "$cases cases"
exit $failed
