#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ptxas.sh BUILD: `softwarp ptxas` as compilers call ptxas, and what `softwarp ptx` says of the cubins that it writes.
set -u
build=$1 softwarp=$1/bin/softwarp
. "$(dirname "$0")/../support/script.sh"
enter_work
cat > k.ptx << 'END'
.version 8.0
.target sm_80
.address_size 64
.global .align 4 .b8 table[16];
.visible .entry k(.param .u64 p, .param .u32 n)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<2>;
	.shared .align 4 .b8 tile[96];
	.local .align 4 .b8 frame[32];
	ld.param.u64 %rd1, [p];
	ld.param.u32 %r1, [n];
	st.local.b32 [frame], %r1;
	st.shared.b32 [tile+4], %r1;
	bar.sync 0;
	ld.local.b32 %r2, [frame];
	st.global.b32 [%rd1], %r2;
	ret;
}
END
# The report, with every spelling of the options that compilers use.
for words in "-v -arch=sm_90 -o k.cubin k.ptx" "--verbose --gpu-name sm_90 --output-file k.cubin -lineinfo -O3 -m64 k.ptx" \
    "k.ptx -v --gpu-name=sm_90 --output-file=k.cubin --opt-level 3 --fmad false -c --warn-on-spills"; do
    rm -f k.cubin
    # shellcheck disable=SC2086 # words
    expect 0 "ptxas info    : 16 bytes gmem" "$softwarp" ptxas $words
    says err "^ptxas info    : Compiling entry function 'k' for 'sm_90'\$"
    says err '^ptxas info    : Function properties for k$'
    says err '^    32 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads$'
    says err '^ptxas info    : Used [0-9]+ registers, used 1 barriers, 32 bytes cumulative stack size, 96 bytes smem, '
    [ ! -s out ] || fail "something on standard output"
    [ "$(od -An -tx1 -N4 k.cubin | tr -d ' ')" = 7f454c46 ] || fail "no ELF image"
done
"$softwarp" ptxas -arch=sm_90 -o limited.cubin -maxrregcount 24 k.ptx || fail "-maxrregcount"
expect 0 'maxnreg 24' "$softwarp" ptx limited.cubin
# What is in it.
expect 0 '' "$softwarp" ptx --list k.cubin
says out '^arch = sm_90$'
says out 'REG:[0-9]+ STACK:32 SHARED:96 LOCAL:32 BARRIERS:1 PARAMETERS:12'
expect 0 '.entry k' "$softwarp" ptx k.cubin
# Targets: those of ptxas, and none is made for a virtual one.
rm -f elf.o
expect 0 '' "$softwarp" ptxas -arch=compute_90 k.ptx
[ ! -e elf.o ] || fail "a file for a virtual target"
expect 0 '' "$softwarp" ptxas -arch=sm_120 k.ptx
[ -e elf.o ] || fail "no elf.o"
expect 255 "ptxas fatal   : Value 'sm_99' is not defined for option 'gpu-name'" "$softwarp" ptxas -arch=sm_99 k.ptx
expect 255 "ptxas fatal   : SM version specified by .target is higher than default SM version assumed" "$softwarp" ptxas k.ptx
sed 's/sm_80/sm_90a/' k.ptx > a.ptx
expect 255 "PTX with .target 'sm_90a' cannot be compiled for architecture 'sm_90'" "$softwarp" ptxas -arch=sm_90 a.ptx
expect 0 '' "$softwarp" ptxas -arch=sm_90a a.ptx
# Errors, in the form that compilers look for.
expect 255 "ptxas fatal   : Unknown option '-bogus'" "$softwarp" ptxas --bogus k.ptx
expect 255 "ptxas fatal   : Input file 'none.ptx' could not be opened" "$softwarp" ptxas -arch=sm_90 none.ptx
expect 255 "ptxas fatal   : argument expected after '-arch'" "$softwarp" ptxas -arch
expect 255 "ptxas fatal   : Invalid value 'abc' for option 'maxrregcount'" "$softwarp" ptxas -maxrregcount=abc k.ptx
sed 's/bar.sync 0/bar.zync 0/' k.ptx > wrong.ptx
expect 255 '^ptxas wrong.ptx, line 15; error   : .*bar.zync' "$softwarp" ptxas -arch=sm_90 -o wrong.cubin wrong.ptx
says err '^ptxas fatal   : Ptx assembly aborted due to errors$'
[ ! -e wrong.cubin ] || fail "a cubin of wrong PTX"
: > empty.ptx
expect 255 "Missing .version directive at start of file 'empty.ptx'" "$softwarp" ptxas -arch=sm_90 empty.ptx
# What compilers ask before: a release (Triton), a version (XLA).
expect 0 '^Cuda compilation tools, release 13.0, V13.0.[0-9]*$' "$softwarp" ptxas --version
expect 0 '^9.0$' "$softwarp" ptxas --list-version
expect 0 'gpu-name' "$softwarp" ptxas --help
# The same by the name that TRITON_PTXAS_PATH takes, and as the toolkit's program.
for program in "$build/bin/softwarp-ptxas" "$build/share/softwarp/cuda/bin/ptxas"; do
    expect 0 'release 13.0' "$program" --version
done
exit $failed
