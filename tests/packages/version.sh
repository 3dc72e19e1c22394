#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: version.sh BUILD SOURCE-TREE    The version: of a checkout with tags and without, of what `git archive` makes of it, and of a copy without git;
# what `softwarp --version` prints; and the man page has every command and option.
set -u
build=$1 source=$2
# shellcheck source=tests/support/script.sh
. "$(dirname "$0")/../support/script.sh"
git --version > /dev/null 2>&1 || skip "git is not installed"
version_of() { cmake -DSOURCE="$1" -P "$source/cmake/Version.cmake"; }
in_tree() { git -C "$work/tree" -c user.name=A -c user.email=a@b.c -c commit.gpgsign=false "$@"; }
is() # EXPECTED PLACE
{
    got=$(version_of "$2")
    [ "$got" = "$1" ] || fail "the version of $2 is '$got', not '$1'"
}
unpack() # the archive of the last commit, as a folder
{
    rm -rf "$work/archive"
    mkdir "$work/archive"
    in_tree archive HEAD | tar -C "$work/archive" -x
}
mkdir "$work/tree"
cp "$source/VERSION" "$source/.gitattributes" "$work/tree"
first=$(sed -n 's/^set(SW_FIRST_VERSION \(.*\))/\1/p' "$source/cmake/Version.cmake")
is "$first unknown" "$work/tree" # a copy without git
must in_tree init -q
must in_tree add -A
must in_tree commit -q -m one
is "$first $(in_tree rev-parse --short HEAD)" "$work/tree"
unpack
is "$first $(in_tree rev-parse --short HEAD)" "$work/archive"
must in_tree tag -a -m '' v7.8.9
must in_tree tag other
is "7.8.9 v7.8.9" "$work/tree"
unpack
is "7.8.9 v7.8.9" "$work/archive"
must in_tree commit -q --allow-empty -m two
is "7.8.9 v7.8.9-1-g$(in_tree rev-parse --short HEAD)" "$work/tree"
unpack
is "7.8.9 v7.8.9-1-g$(in_tree rev-parse --short HEAD)" "$work/archive"
echo >> "$work/tree/VERSION"
is "7.8.9 v7.8.9-1-g$(in_tree rev-parse --short HEAD)-dirty" "$work/tree"

# The program says what it was built from, and which LLVM it found.
expect 0 '^softwarp [0-9]*\.[0-9]*\.[0-9]*$' "$build/bin/softwarp" --version
says out '^build: (v?[0-9a-f]+|unknown)'
says out '^LLVM:  19\.[0-9]+\.[0-9]+$'
[ "$(wc -l < "$work/out")" = 3 ] || fail "--version prints other lines"
mkdir -p "$work/lonely/bin" "$work/lonely/lib"
cp "$build/bin/softwarp" "$work/lonely/bin"
expect 0 '^LLVM:  libsoftwarp-jit.so is missing' "$work/lonely/bin/softwarp" --version

# The man page says what --help says.
page=$build/share/man/man1/softwarp.1
sed 's/\\-/-/g; s/\\e/\\/g; s/^\\&//' "$page" > "$work/page"
for command in run profile check trace compare occupancy cache; do
    "$build/bin/softwarp" $command --help > "$work/help"
    while IFS= read -r line; do
        grep -qxF -e "$line" "$work/page" || { fail "the man page lacks a line of $command --help: $line"; break; }
    done < "$work/help"
done
[ $failed = 0 ] && echo "version: passed"
exit $failed
