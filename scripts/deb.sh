#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: deb.sh [FOLDER]    Debian source and binary packages of the last commit, in FOLDER (build-deb); where lintian is installed, it must
# find nothing. The build dependencies are those of debian/control. SW_DEB_SUITE names the distribution in the changelog and in
# the version, so that packages for several are told apart; else it is that of this machine.
# Method: the sources are `git archive` of the commit, which also says the version; times are the commit's (SOURCE_DATE_EPOCH), so
# that two builds are equal, in whatever folder. Changes that are not committed are not in the packages, and no inputs of fuzzers, which are
# binary files without a source.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-build-deb}
for tool in dpkg-buildpackage dh git xz; do
    command -v "$tool" > /dev/null || { echo "make deb needs $tool: apt-get install build-essential debhelper git xz-utils" >&2; exit 1; }
done
# shellcheck source=/dev/null
suite=${SW_DEB_SUITE:-$(. /etc/os-release && echo "$VERSION_CODENAME")}
version=$(scripts/version.sh debian)
SOURCE_DATE_EPOCH=$(scripts/version.sh epoch)
export SOURCE_DATE_EPOCH
umask 022
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
tree=$folder/softwarp-$version
rm -rf "$tree" "$folder"/softwarp_* "$folder"/*.deb
git archive --prefix="softwarp-$version/" HEAD -- . ':!debian' ':!tests/fuzz/corpus' | xz -T1 > "$folder/softwarp_$version.orig.tar.xz"
tar -C "$folder" -xf "$folder/softwarp_$version.orig.tar.xz"
git archive HEAD debian | tar -C "$tree" -x
cat > "$tree/debian/changelog" << END
softwarp ($version-1~$suite) $suite; urgency=medium

  * Softwarp $(scripts/version.sh version), commit $(git rev-parse --short=12 HEAD): changes in the upstream changelog.

 -- $(sed -n 's/^Maintainer: //p' debian/control)  $(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
END
log=$folder/deb.log
(cd "$tree" && dpkg-buildpackage -us -uc -j"${SW_JOBS:-$(nproc)}") > "$log" 2>&1 || {
    tail -n 40 "$log" >&2
    echo "the package was not built; the whole output is in $log" >&2
    exit 1
}
rm -rf "$tree"
cd "$folder"
if command -v lintian > /dev/null; then
    lintian --fail-on error,warning --suppress-tags bad-distribution-in-changes-file ./*.changes
else
    echo "lintian is not installed: the packages are not checked" >&2
fi
ls -l -- *.deb
