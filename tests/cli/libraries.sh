#!/bin/sh
# libraries.sh BUILD: what is said of NVIDIA's libraries that Softwarp does not run: which one it is, and what works instead.
set -u
build=$1
softwarp=$build/bin/softwarp tests=$build/tests
. "$(dirname "$0")/../support/script.sh"
expect_error() # STATUS REGEX PROGRAM ARGUMENTS...: with the libraries where the loader finds them; '': nothing on standard error
{
    status=$1 message=$2
    shift 2
    expect "$status" '' env LD_LIBRARY_PATH="$tests/cli_libraries" "$softwarp" run "$@"
    if [ -n "$message" ]; then says err "$message"; elif [ -s "$work/err" ]; then fail "something on standard error:" "$@"; fi
}
# Called: by the tables it asks for, or by the machine code that it loads. The program goes on with the error.
expect_error 3 "libcutensor.so.2 is NVIDIA's cuTENSOR: .*what works instead: matrix products" "$tests/cli_use_cutensor" asks
says out '^result 801$'
expect_error 3 "libcutensor.so.2 is NVIDIA's cuTENSOR: " "$tests/cli_use_cutensor" loads
says out '^result 209$'
expect_error 3 "libcudnn.so.0 is NVIDIA's cuDNN: " "$tests/cli_use_cudnn" loads
expect_error 3 "libmine.so contains NVIDIA's static CUDA runtime.*rebuild it" "$tests/cli_use_mine" asks
expect_error 3 "libmine.so holds machine code only and no PTX.*rebuild it" "$tests/cli_use_mine" loads
expect_error 3 "this program holds machine code only" "$tests/cli_use_mine" heap
# NVIDIA's NVRTC works, too (here of a version that Softwarp has none for); what it makes must be PTX.
expect_error 0 "" "$tests/cli_use_nvrtc" asks
expect_error 3 "the image holds machine code only.*NVRTC.*the one that Softwarp has" "$tests/cli_use_nvrtc" heap
# Linked and not called: nothing to say. Not there at all: the loader's message, and what it means here.
expect_error 0 "" "$tests/cli_use_cudnn"
mv "$tests/cli_libraries/libcudnn.so.0" "$work"
expect_error 127 "the program needs libcudnn.so.0, NVIDIA's cuDNN: .*what works instead: kernels" "$tests/cli_use_cudnn"
says err 'error while loading shared libraries'
sed -n '1p' "$work/err" | grep -q 'the program needs' || fail "the message does not come before the loader's"
mv "$work/libcudnn.so.0" "$tests/cli_libraries"
expect_error 127 "the program needs cublasOfTomorrow, which Softwarp's cuBLAS .libcublas.so.13. does not have" "$tests/cli_use_function"
# Functions whose names begin otherwise than their library's file does.
expect_error 127 "the program needs cusolverDnOfTomorrow, which Softwarp's cuSOLVER .libcusolver.so.12. does not have" "$tests/cli_use_function"
says err "the program needs cublasXtOfTomorrow, which Softwarp's cuBLAS .libcublas.so.13. does not have"
[ "$(grep -c 'the program needs cublasOfTomorrow' "$work/err")" = 1 ] || fail "a missing function is not told once"
exit $failed
