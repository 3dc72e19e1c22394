#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: link.sh LIBRARY      The linker's option for programs of this name here: libraries are named in small letters, and may have
# several programs (cublas, cublas-other).
case ${1%%-*} in
cublaslt) echo -lcublasLt ;;
*) echo "-l${1%%-*}" ;;
esac
