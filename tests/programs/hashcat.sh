#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: hashcat.sh BUILD      hashcat finds the word behind an MD5 on its CUDA backend, whose kernels it compiles with NVRTC. SOFTWARP_HASHCAT:
# the program, of version 6.2 (Debian's package hashcat).
set -u
softwarp=$1/bin/softwarp
. "$(dirname "$0")/../support/script.sh"
[ -n "${SOFTWARP_HASHCAT:-}" ] || skip "SOFTWARP_HASHCAT names no hashcat"
export HOME="$work" XDG_CACHE_HOME="$work/cache" XDG_DATA_HOME="$work/data" # its compiled kernels go afterwards
hash=$(printf 'abc4' | md5sum | cut -d ' ' -f 1)
expect 0 "CUDA Info" "$softwarp" run "$SOFTWARP_HASHCAT" -I
expect 0 "$hash:abc4" "$softwarp" run "$SOFTWARP_HASHCAT" -m 0 -a 3 -d 1 --force --potfile-disable --workload-profile 1 "$hash" '?l?l?l?d'
says out 'Status\.+: Cracked'
exit $failed
