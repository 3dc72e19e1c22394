#!/bin/sh
# usage: exports.sh LIBRARY driver_api.def    The library exports exactly what the table lists.
set -eu
library=$1 table=$2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
nm -D --defined-only "$library" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' | sort > "$tmp/have"
sed -n 's/^\(DONE\|REFUSED\)(\([A-Za-z0-9_]*\),.*/\2/p' "$table" | sort > "$tmp/table"
diff "$tmp/table" "$tmp/have"
# The same names as the library of a real driver, none with a version node; but for a debugger's, and two that NVIDIA documents nowhere.
nm -D --defined-only "$library" | grep @ && { echo "a name has a version node"; exit 1; }
grep -v -e '^#' -e '^cudbg' -e '^cuEGLApiInit$' -e '^cuMemGetAttribute' "$(dirname "$0")/exports.h200.txt" | sort > "$tmp/theirs"
diff "$tmp/theirs" "$tmp/have"
