#!/bin/sh
# usage: exports.sh LIBRARY driver_api.def    The library exports exactly what the table lists.
set -eu
library=$1 table=$2
. "$(dirname "$0")/../support/script.sh"
exported "$library" > "$work/have"
listed "$table" > "$work/table"
diff "$work/table" "$work/have"
# The same names as the library of a real driver, none with a version node; but for a debugger's, and two that NVIDIA documents nowhere.
nm -D --defined-only "$library" | grep @ && die "a name has a version node"
grep -v -e '^#' -e '^cudbg' -e '^cuEGLApiInit$' -e '^cuMemGetAttribute' "$(dirname "$0")/exports.h200.txt" | LC_ALL=C sort > "$work/theirs"
diff "$work/theirs" "$work/have"
