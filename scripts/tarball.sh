#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: tarball.sh [BUILD]    Build softwarp-VERSION-linux-CPU.tar.xz in BUILD (build-tarball): unpacked anywhere, bin/softwarp runs from there.
# LLVM, zstd, lz4, Jansson and inih are linked in (SW_STATIC), so it needs of the system only the C library of this machine's age or newer,
# libstdc++ and zlib; softwarp cc needs clang 19. Their licences are in share/doc/softwarp/licences.
# Two builds of one commit are equal: times and owners are the same, and paths of sources begin at the source tree.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build-tarball}
SOURCE_DATE_EPOCH=$(scripts/version.sh epoch)
export SOURCE_DATE_EPOCH
name=softwarp-$(scripts/version.sh debian | tr '~' '-')-linux-$(uname -m)
case $(scripts/version.sh build) in *-dirty) name=$name-dirty ;; esac
if [ ! -e "$build/build.ninja" ]; then
    mkdir -p "$build"
    map="-ffile-prefix-map=$PWD/= -ffile-prefix-map=$(cd "$build" && pwd)/=build/"
    cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DSW_TESTS=OFF -DSW_STATIC=ON \
        -DCMAKE_C_FLAGS="$map" -DCMAKE_CXX_FLAGS="$map" > "$build/build.log" 2>&1 || { tail "$build/build.log" >&2; exit 1; }
fi
scripts/build.sh "$build" release
rm -rf "${build:?}/$name"
cmake --install "$build" --strip --prefix "$PWD/$build/$name" > "$build/install.log"
mkdir "$build/$name/share/doc/softwarp/licences"
for package in llvm-19-dev libzstd-dev liblz4-dev libjansson-dev libinih-dev; do
    cp "/usr/share/doc/$package/copyright" "$build/$name/share/doc/softwarp/licences/$package" ||
        { echo "the licence of $package is not where Debian's packages have it" >&2; exit 1; }
done
tar -C "$build" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=go=rX,u+rw \
    -c "$name" | xz -T1 > "$build/$name.tar.xz.new"
mv "$build/$name.tar.xz.new" "$build/$name.tar.xz"
rm -rf "${build:?}/$name"
ls -l "$build/$name.tar.xz"
