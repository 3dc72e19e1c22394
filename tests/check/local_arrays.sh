#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What docs/check-memory.md says of local arrays: an access from one into the next is no finding by itself, and one where the program
# was compiled with clang's checks of array bounds. usage: local_arrays.sh BUILD
set -u
# shellcheck source=tests/support/script.sh
. "$(dirname "$0")/../support/script.sh"
softwarp=$1/bin/softwarp
checked='-Xclang -fsanitize=array-bounds -Xclang -fsanitize-trap=array-bounds'
grep -q "softwarp cc $checked" "$here/../../docs/check-memory.md" || fail "the page does not name these options"
# shellcheck disable=SC2086 # options are words
must "$softwarp" cc -O2 -lineinfo $checked -o "$work/arrays" "$here/local_arrays.cu"
expect 4 'Launch failed: trap' "$softwarp" check "$work/arrays" local_next fault
says out 'at local_next\(int \*, const int \*\)'
expect 0 'ERROR SUMMARY: 0 errors' "$softwarp" check "$work/arrays" local_next fine
exit $failed
