#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: install.sh SOURCE-TREE [PACKAGE]    Install Softwarp on a runner: a package (a file or a URL, .deb), or else what is built from the
# source tree, in /opt/softwarp. Then its folder is in the PATH of later steps, and SOFTWARP_TOOLCHAIN names CMake's toolchain
# file (GITHUB_PATH and GITHUB_ENV; elsewhere the lines that set both are printed, for `eval`).
set -eu
source=$1 package=${2-}
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
{
    if [ -n "$package" ]; then
        case $package in
            *://*)
                downloaded=$(mktemp -d)/softwarp.deb
                curl -fsSL -o "$downloaded" "$package"
                package=$downloaded
                ;;
        esac
        as_root apt-get update -qq
        as_root apt-get install -y -qq "$(realpath "$package")"
        prefix=/usr
    else
        prefix=${SOFTWARP_PREFIX:-/opt/softwarp}
        make -C "$source" products
        as_root cmake --install "$source/build" --prefix "$prefix"
    fi
    "$prefix/bin/softwarp" --version
} >&2
toolchain=$prefix/share/softwarp/cmake/softwarp-toolchain.cmake
if [ -n "${GITHUB_PATH-}" ]; then
    echo "$prefix/bin" >> "$GITHUB_PATH"
    echo "SOFTWARP_TOOLCHAIN=$toolchain" >> "$GITHUB_ENV"
else
    # shellcheck disable=SC2016 # for whoever reads it
    printf 'export PATH=%s/bin:"$PATH" SOFTWARP_TOOLCHAIN=%s\n' "$prefix" "$toolchain"
fi
