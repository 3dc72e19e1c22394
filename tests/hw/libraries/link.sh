#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: link.sh LIBRARY      The linker's options for programs of this name here: libraries are named in small letters, may
# have several programs (cublas, cublas-other), and a program may be of two.
case $1 in
cusolver_sp | cusolver_rf) echo "-lcusolver -lcusparse" ;;
cublaslt*) echo -lcublasLt ;;
*) echo "-l${1%%-*}" ;;
esac
