#!/bin/sh
# compile.sh CC FILE.cu TARGET: both halves compile without a warning, and device code needs no function from outside but
# those that the driver supplies.
set -eu
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"$1" -Wall -Wno-unused -Werror -arch="$3" -c "$2" -o "$out/host.o"
"$1" -ptx -arch="$3" "$2" -o "$out/device.ptx"
grep -q "^.target $3" "$out/device.ptx"
if grep '^\.extern \.func' "$out/device.ptx" | grep -vE ' (vprintf|malloc|free|__assertfail)$'; then
    echo "unresolved device functions"
    exit 1
fi
