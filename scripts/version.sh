#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: version.sh version|build|debian|epoch    What packages of this commit are called (cmake/Version.cmake): the version; the tag or
# commit; the version of a Debian package, without its revision, which sorts below the release that comes (~) where there is no tag
# yet, and above the last one (+) behind a tag; and the time of the commit, of which files in packages are.
set -eu
cd "$(dirname "$0")/.."
both=$(cmake -DSOURCE="$PWD" -P cmake/Version.cmake)
version=${both% *}
build=${both#* }
case $1 in
    version) echo "$version" ;;
    build) echo "$build" ;;
    debian)
        case ${build%-dirty} in
            "v$version") echo "$version" ;;
            v*) echo "$version+$(printf '%s' "${build%-dirty}" | sed 's/^v[^-]*-//; s/-/./g')" ;;
            *) echo "$version~git$(TZ=UTC git log -1 --format=%cd --date=format-local:%Y%m%d).${build%-dirty}" ;;
        esac ;;
    epoch) git log -1 --format=%ct ;;
    *) exit 2 ;;
esac
