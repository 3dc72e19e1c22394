#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: tiers.sh BUILD SOURCE-TREE     A report does not depend on the tier of the code that counted.
set -u
build=$1 source=$2 softwarp=$1/bin/softwarp
. "$(dirname "$0")/../support/script.sh"
export CUDA_CACHE_DISABLE=1
enter_work
for name in vectoradd reduction; do
    must "$softwarp" cc -gline-tables-only -o $name "$source/examples/$name.cu"
    for tiers in full first both; do
        SOFTWARP_TIERS=$tiers expect 0 '' "$softwarp" profile --set full --csv --page raw -o $name.$tiers ./$name -n 100000
        grep -q . $name.$tiers || fail "$name: no report with SOFTWARP_TIERS=$tiers"
        cmp $name.full $name.$tiers || fail "$name: SOFTWARP_TIERS=$tiers reports otherwise"
    done
done
exit $failed
