#!/bin/sh
# compile.sh CC FILE.cu TARGET: both halves compile without a warning, and device code needs no function from outside but
# those that the driver supplies.
set -eu
. "$(dirname "$0")/../support/script.sh"
"$1" -Wall -Wno-unused -Werror -arch="$3" -c "$2" -o "$work/host.o"
"$1" -ptx -arch="$3" "$2" -o "$work/device.ptx"
grep -q "^.target $3" "$work/device.ptx"
if grep '^\.extern \.func' "$work/device.ptx" | grep -vE ' (vprintf|malloc|free|__assertfail)$'; then
    echo "unresolved device functions"
    exit 1
fi
