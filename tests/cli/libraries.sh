#!/bin/sh
# libraries.sh BUILD: what is said of NVIDIA's libraries that Softwarp does not run: which one it is, and what works instead.
set -u
build=$1
softwarp=$build/bin/softwarp tests=$build/tests failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
expect() { # code, message, program, arguments: with the libraries where the loader finds them
    code=$1 message=$2
    shift 2
    LD_LIBRARY_PATH=$tests/cli_libraries "$softwarp" run "$@" > "$work/out" 2> "$work/err"
    got=$?
    [ $got = "$code" ] || { echo "FAILED: $*: exit status $got, not $code: $(cat "$work/err")"; failed=1; }
    [ -n "$message" ] || [ ! -s "$work/err" ] || { echo "FAILED: $*: says $(cat "$work/err")"; failed=1; }
    [ -z "$message" ] || grep -Eq -- "$message" "$work/err" || { echo "FAILED: $*: says $(cat "$work/err"), not $message"; failed=1; }
}
# Called: by the tables it asks for, or by the machine code that it loads. The program goes on with the error.
expect 3 "libcublasLt.so.13 is NVIDIA's cuBLAS: .*what works instead: matrix products" "$tests/cli_use_cublasLt" asks
grep -q '^result 801$' "$work/out" || { echo "FAILED: result of cuGetExportTable: $(cat "$work/out")"; failed=1; }
expect 3 "libcublasLt.so.13 is NVIDIA's cuBLAS: " "$tests/cli_use_cublasLt" loads
grep -q '^result 209$' "$work/out" || { echo "FAILED: result of cuModuleLoadData: $(cat "$work/out")"; failed=1; }
expect 3 "libcudnn.so.0 is NVIDIA's cuDNN: " "$tests/cli_use_cudnn" loads
expect 3 "libmine.so contains NVIDIA's static CUDA runtime.*rebuild it" "$tests/cli_use_mine" asks
expect 3 "libmine.so holds machine code only and no PTX.*rebuild it" "$tests/cli_use_mine" loads
expect 3 "this program holds machine code only" "$tests/cli_use_mine" heap
# NVRTC itself works; what it makes must be PTX.
expect 0 "" "$tests/cli_use_nvrtc" asks
expect 3 "the image holds machine code only.*NVRTC.*nvrtcGetPTX" "$tests/cli_use_nvrtc" heap
# Linked and not called: nothing to say. Not there at all: the loader's message, and what it means here.
expect 0 "" "$tests/cli_use_cudnn"
mv "$tests/cli_libraries/libcudnn.so.0" "$work"
expect 127 "the program needs libcudnn.so.0, NVIDIA's cuDNN: .*what works instead: kernels" "$tests/cli_use_cudnn"
grep -q 'error while loading shared libraries' "$work/err" || { echo "FAILED: the loader's own message"; failed=1; }
mv "$work/libcudnn.so.0" "$tests/cli_libraries"
exit $failed
