#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: debian.sh SOURCE-TREE    In each of the distributions SW_BARE_SUITES (bookworm trixie noble), bare: the build dependencies alone build the
# packages of the last commit, and lintian finds nothing; in another bare system they are installed, beside a library of a driver's
# name, and removed. Skipped without SW_BARE, the folder of the bare systems (bare.sh). The packages are left in SW_BARE/debs/SUITE.
# SW_REPEAT=1: built twice, in different folders, and equal in every byte.
# shellcheck source=tests/support/script.sh
. "$(dirname "$0")/../support/script.sh"
set -euo pipefail
source=$(cd "$1" && pwd)
[ -n "${SW_BARE-}" ] || skip "SW_BARE names no folder for bare systems"
command -v debootstrap > /dev/null || skip "debootstrap is not installed"
[ "$(id -u)" = 0 ] || skip "bare systems need root"

bare() # SUITE: the commands of standard input
{
    BARE_SHARE=$work/share "$here/bare.sh" "$1" sh -euc "$(cat)" || die "$1: $stage"
}
mkdir -p "$work/share/out"
git clone -q "$source" "$work/share/source"
cp "$here/fake_driver.c" "$here/driver_version.c" "$work/share"
for suite in ${SW_BARE_SUITES:-bookworm trixie noble}; do
    for turn in 1 ${SW_REPEAT:+2}; do
        stage="the packages are not built"
        rm -rf "$work/share/out/$turn"
        bare "$suite" << END
apt-get update -qq
apt-get install -y -qq --no-install-recommends build-essential ca-certificates git lintian xz-utils > /dev/null
mkdir -p /build/$turn
cp -a /share/source /build/$turn/softwarp
cd /build/$turn/softwarp
apt-get build-dep -y -qq --no-install-recommends ./ > /dev/null
export SW_JOBS=${SW_JOBS:-2} TZ=UTC-$turn
umask 02$turn
begin=\$(date +%s)
scripts/deb.sh /share/out/$turn
echo "$suite: built and checked in \$((\$(date +%s) - begin)) s"
END
    done
    if [ -n "${SW_REPEAT-}" ]; then
        (cd "$work/share/out/1" && sha256sum -- *.deb *.tar.xz *.dsc) > "$work/sums"
        (cd "$work/share/out/2" && sha256sum --quiet -c "$work/sums") || die "$suite: a second build has other bytes"
        echo "$suite: a second build is equal in every byte"
    fi
    stage="the packages do not work"
    bare "$suite" << END
apt-get update -qq
begin=\$(date +%s)
apt-get install -y -qq --no-install-recommends /share/out/1/softwarp_*.deb > /dev/null
echo "$suite: installed in \$((\$(date +%s) - begin)) s"
apt-get install -y -qq --no-install-recommends /share/out/1/libsoftwarp-dev_*.deb clang-19 gcc libc6-dev pkgconf > /dev/null
sh /share/source/debian/tests/smoke
# beside a driver, which other programs find
driver=/usr/lib/\$(gcc -print-multiarch)
gcc -shared -fPIC -Wl,-soname,libcuda.so.1 /share/fake_driver.c -o \$driver/libcuda.so.1
ldconfig
gcc /share/driver_version.c -o /tmp/driver_version \$driver/libcuda.so.1
[ "\$(/tmp/driver_version)" = 4242 ] || { echo "a program does not find the driver"; exit 1; }
case \$(softwarp run /tmp/driver_version) in 1[0-9]0[0-9]0) ;; *) false ;; esac || { echo "softwarp run finds another libcuda"; exit 1; }
apt-get purge -y -qq softwarp libsoftwarp-dev > /dev/null
[ -z "\$(find / -xdev -name '*softwarp*' -not -path '/share/*' -not -path '/var/cache/*' -not -path '/tmp/*' | tee /dev/stderr)" ]
echo "$suite: installed, worked beside a driver, removed"
END
    mkdir -p "$SW_BARE/debs/$suite"
    cp "$work"/share/out/1/* "$SW_BARE/debs/$suite"
done
