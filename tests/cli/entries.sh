#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: entries.sh BUILD SOURCE     A program whose cached kernels were tampered with, or lie where others could do so: it
# says so, compiles anew and gives the same result.
softwarp=$1/bin/softwarp source=$2
. "$(dirname "$0")/../support/script.sh"
enter_work
unset CUDA_CACHE_DISABLE CUDA_CACHE_MAXSIZE CUDA_MODULE_LOADING SOFTWARP_DEVICE
CUDA_CACHE_PATH=$PWD/home
export CUDA_CACHE_PATH
must "$softwarp" cc "$source/tests/cli/warm.cu" -o program
expect 0 '^6$' "$softwarp" run ./program
grep -q 'cache of compiled kernels' err && fail "a fresh cache is refused"
damaged() { "$softwarp" cache | sed -n 's/^damaged *\([0-9]*\).*/\1/p'; }

# a bit of every entry, far behind its header: machine code
for entry in home/softwarp/*.o; do
    python3 -c 'import sys; f = open(sys.argv[1], "r+b"); f.seek(-300, 2); b = f.read(1); f.seek(-1, 1); f.write(bytes([b[0] ^ 1]))' "$entry"
done
[ "$(damaged)" = 3 ] || fail "$(damaged) damaged entries, not 3"
expect 0 '^6$' "$softwarp" run ./program
says err 'is not used: wrong checksum' || fail "nothing is said of entries that changed"
[ "$(damaged)" = 0 ] || fail "$(damaged) entries were not made anew"
expect 0 '^6$' "$softwarp" run ./program
grep -q 'is not used' err && fail "entries that were made anew are refused"

# an entry that is a link to another file, one that others may write to
set -- home/softwarp/*.o
mv "$1" elsewhere.o && ln -s "$PWD/elsewhere.o" "$1"
chmod 666 "$2"
expect 0 '^6$' "$softwarp" run ./program
says err 'a symbolic link|writable by other users' || fail "nothing is said of a link"
[ -h "$1" ] && fail "the link was not replaced"

chmod 777 home
expect 0 '^6$' "$softwarp" run ./program
says err "'$PWD/home' is writable by other users" || fail "nothing is said of a writable parent"
chmod 755 home
mv home/softwarp moved && ln -s ../moved home/softwarp
expect 0 '^6$' "$softwarp" run ./program
says err "'$PWD/home/softwarp' is a symbolic link" || fail "nothing is said of a link in the folder's place"
exit $failed
