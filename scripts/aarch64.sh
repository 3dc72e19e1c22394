#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: aarch64.sh [sysroot | build | test [CTEST OPTIONS...]]    Build for aarch64 Linux on an x86-64 Debian and run the tests
# under qemu's user emulation. Without an argument: all three, with the quick ones of the tests.
#
# Everything is in build-aarch64/: the emulator, and a sysroot unpacked from Debian's arm64 packages (nothing is installed).
# Tests run in a namespace that has a binfmt_misc of its own, so that programs under the emulator start other aarch64 programs
# (Linux 6.7 and newer). Where there is no such namespace, tests that start programs are left out.
set -eu
cd "$(dirname "$0")/.."
place=$PWD/build-aarch64
sysroot=$place/sysroot
qemu=$place/qemu/usr/bin/qemu-aarch64
# Those whose dependencies are unpacked, too, and those that are unpacked alone: LLVM's headers and the name of its library.
PACKAGES="libc6-dev libgcc-12-dev libstdc++-12-dev libllvm19 liblz4-dev libzstd-dev libinih-dev libjansson-dev libcmocka-dev"
ALONE=llvm-19-dev
ALONE_KINDS='^(unit|exec|ptx|forms|driver|device|embed|oracle)$' # most of their tests are one program each
BINFMT=/proc/sys/fs/binfmt_misc
# What binfmt_misc compares of a file: an ELF header of 64 bits, little endian, a program (at any address or not), for AArch64.
MAGIC='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
MASK='\xff\xff\xff\xff\xff\xff\xff\xfc\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'

fail() {
    printf 'aarch64: %s\n' "$1" >&2
    exit 1
}

need() {
    for tool in "$@"; do
        command -v "$tool" > /dev/null 2>&1 || fail "$tool is missing; install the package that has it"
    done
}

# apt of its own: the machine's sources, arm64's lists, and a system in which nothing is installed.
apt_arm64() {
    apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State="$place/apt" \
        -o Dir::State::status="$place/apt/status" -o Dir::Cache="$place/apt/cache" -o Debug::NoLocking=1 \
        -o APT::Sandbox::User="$(id -un)" -o APT::Install-Recommends=false "$@"
}

# The newest qemu of this release and its backports. Those before 8.1 note each page of a reservation: 6 GB and a minute for the
# address space of every engine.
make_qemu() {
    [ ! -e "$qemu" ] || return 0
    need apt-get dpkg-deb
    release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    own=$place/apt-qemu
    mkdir -p "$own/lists/partial" "$own/cache/archives/partial"
    : > "$own/status"
    for suite in "$release" "$release-backports"; do
        echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $suite main"
    done > "$own/sources.list"
    apt_qemu() {
        apt-get -qq -o Dir::Etc::sourcelist="$own/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State="$own" \
            -o Dir::State::status="$own/status" -o Dir::Cache="$own/cache" -o APT::Sandbox::User="$(id -un)" \
            -o APT::Default-Release="$release-backports" "$@"
    }
    apt_qemu update && (cd "$own" && apt_qemu download qemu-user) || fail "the package qemu-user cannot be had"
    dpkg-deb -x "$own"/qemu-user_*.deb "$place/qemu"
}

# Links to absolute paths would lead out of the sysroot.
relative_links() {
    find "$sysroot" -type l -lname '/*' | while read -r link; do
        to=$(readlink "$link")
        ln -sfn "$(realpath -m --relative-to="$(dirname "$link")" "$sysroot$to")" "$link"
    done
}

make_sysroot() {
    [ ! -e "$place/sysroot.done" ] || return 0
    need apt-get dpkg-deb realpath
    mkdir -p "$place/apt/lists/partial" "$place/apt/cache/archives/partial" "$sysroot"
    : > "$place/apt/status"
    apt_arm64 update || fail "no lists of arm64 packages: apt's sources cannot be reached, or have no arm64"
    # shellcheck disable=SC2086
    apt_arm64 -y --download-only install $PACKAGES ||
        fail "arm64 packages are missing ($PACKAGES): LLVM 19 is in Debian 12 and newer"
    (cd "$place/apt/cache/archives" && apt_arm64 download $ALONE) || fail "the arm64 package $ALONE is missing"
    for package in "$place"/apt/cache/archives/*.deb; do
        dpkg-deb --fsys-tarfile "$package" | tar -x -C "$sysroot" --exclude='./usr/lib/llvm-19/lib/*.a'
    done
    relative_links
    touch "$place/sysroot.done"
}

make_build() {
    need clang-19 ld.lld cmake ninja pkg-config
    [ -e "$place/build.ninja" ] || \
        SW_SYSROOT=$sysroot SW_QEMU=$qemu cmake --preset aarch64
    ninja -C "$place" ${JOBS:+-j "$JOBS"}
}

# A command in a namespace in which the kernel knows the emulator, and clang makes programs for aarch64 unless told otherwise.
in_namespace() {
    export QEMU_LD_PREFIX="$sysroot"
    export CCC_OVERRIDE_OPTIONS="# ^--target=aarch64-linux-gnu ^--sysroot=$sysroot ^-fuse-ld=lld"
    # shellcheck disable=SC2016 # variables of the inner shell
    unshare --user --map-root-user --mount sh -c 'mount -t binfmt_misc none "$0" && printf %s "$1" > "$0/register" && shift && exec "$@"' \
        "$BINFMT" ":softwarp-aarch64:M::$MAGIC:$MASK:$qemu:F" "$@"
}

run_tests() {
    set -- --test-dir "$place" --output-on-failure --no-tests=error -j "${JOBS:-$(nproc)}" "$@"
    if (in_namespace true) 2> /dev/null; then
        in_namespace ctest "$@"
    else
        echo 'aarch64: this kernel gives no namespace a binfmt_misc of its own: tests that start programs are left out' >&2
        ctest -L "$ALONE_KINDS" "$@"
    fi
}

what=${1:-all}
[ $# = 0 ] || shift
case $what in
    sysroot) make_sysroot && make_qemu ;;
    build) make_sysroot && make_qemu && make_build ;;
    test) make_sysroot && make_qemu && make_build && run_tests "$@" ;;
    all) make_sysroot && make_qemu && make_build && run_tests -LE '^full$' ;;
    *) sed -n 's/^# usage: //p' "$0" >&2; exit 2 ;;
esac
