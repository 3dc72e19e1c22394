#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: driver.sh BUILD SOURCE-TREE    An installation that was moved works beside a driver of another's: programs find that, and under `softwarp run`
# ours, also programs with folders of their own for libraries. A C program finds the moved library by pkg-config.
set -u
build=$1 source=$2
# shellcheck source=tests/support/script.sh
. "$(dirname "$0")/../support/script.sh"
must cmake --install "$build" --prefix "$work/prefix"
mv "$work/prefix" "$work/moved"
softwarp=$work/moved/bin/softwarp
enter_work
mkdir other
must cc -shared -fPIC -Wl,-soname,libcuda.so.1 "$here/fake_driver.c" -o other/libcuda.so.1
must cc "$here/driver_version.c" -o by_path other/libcuda.so.1
must cc "$here/driver_version.c" -o by_runpath other/libcuda.so.1 -Wl,--enable-new-dtags,-rpath,"$work/other"
must cc "$here/driver_version.c" -o by_rpath other/libcuda.so.1 -Wl,--disable-new-dtags,-rpath,"$work/other"
for program in by_path by_runpath by_rpath; do
    expect 0 '^4242$' env LD_LIBRARY_PATH="$work/other" "./$program"
    expect 0 '^1[0-9]0[0-9]0$' env LD_LIBRARY_PATH="$work/other" "$softwarp" run "./$program"
done
# nothing of ours lies where the loader or other builds look by themselves
find moved -name 'lib*.so*' ! -path 'moved/lib/softwarp/*' > found
[ ! -s found ] || fail "libraries outside lib/softwarp: $(cat found)"

expect 0 '^LLVM:  19' "$softwarp" --version
expect 0 PASSED sh -c "'$softwarp' cc '$source/examples/vectoradd.cu' -o vectoradd && '$softwarp' run ./vectoradd -n 1000"
[ -s moved/share/man/man1/softwarp.1 ] || fail "there is no man page"
if command -v pkg-config > /dev/null; then
    file=$(find moved -name softwarp.pc)
    cat > embed.c << 'END'
#include <softwarp/softwarp.h>
#include <stdio.h>
int main(void)
{
    struct softwarp *gpu;
    struct softwarp_error error;
    if (softwarp_open(0, &gpu, &error)) return 1;
    softwarp_close(gpu);
    return puts("opened") < 0;
}
END
    flags=$(PKG_CONFIG_PATH=$(dirname "$file") pkg-config --cflags --libs softwarp)
    # shellcheck disable=SC2086 # several words
    must cc embed.c -o embed $flags
    expect 0 opened ./embed
fi
[ $failed = 0 ] && echo "driver: passed"
exit $failed
