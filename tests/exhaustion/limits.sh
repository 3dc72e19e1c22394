#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: limits.sh SOFTWARP STEPS     softwarp run, profile, check and trace with few descriptors, little address space, small files,
# full and read-only disks, and without folders that they use: right, or an exit status below 128 and a message. What is lost
# of a report is an error. Disks are tmpfs of a mount namespace of their own, where the system allows one.
softwarp=$1 steps=$2
. "$(dirname "$0")/../support/script.sh"
enter_work
mkdir tmp disk
export TMPDIR="$work/tmp"

attack() # WHAT SCRIPT: with "$@" as the command
{
    for tool in run "profile --page raw --csv" check "trace -o t.json"; do
        rm -f t.json
        # shellcheck disable=SC2086 # words of the command
        timeout -s KILL 30 $namespace bash -c "$2"' && exec "$@"' bash "$softwarp" $tool "$steps" > out 2> err < /dev/null
        status=$?
        made=$((made + 1))
        [ $status -lt 128 ] || fail "$1, $tool: status $status"
        [ $status = 0 ] || grep -q '==SOFTWARP==' err || fail "$1, $tool: status $status without a message"
        [ -z "$(ls -A tmp)" ] || fail "$1, $tool: left in the temporary folder: $(ls -A tmp)"
        [ $status = 0 ] && [ "$tool" != check ] && [ "$tool" != run ] && complete "$1" "$tool"
    done
}

complete() # WHAT TOOL: it said that all is well
{
    case $2 in
    profile*) [ "$(grep -c '"add"' out)" = "$launches" ] || fail "$1, $2: a report of $(grep -c '"add"' out) launches" ;;
    trace*) [ -s t.json ] || fail "$1, $2: no timeline" ;;
    esac
}

made=0 namespace=
"$softwarp" run "$steps" > /dev/null || die "the program"
launches=$("$softwarp" profile --page raw --csv "$steps" | grep -c '"add"')
[ "$launches" -ge 5 ] || die "only $launches launches"
for n in 5 6 7 8 12; do attack "$n descriptors" "ulimit -n $n"; done
for k in 60000 400000 3000000 5000000; do attack "$k KiB of address space" "ulimit -v $k"; done
for blocks in 1 8 16; do attack "files of $blocks KiB" "ulimit -f $blocks"; done
attack "no home, no cache" "unset HOME CUDA_CACHE_PATH"
attack "no temporary folder" "export TMPDIR=$work/none"
attack "no runtime folder" "export SOFTWARP_RUNTIME_DIR=/proc/none"
namespace="unshare -m"
if unshare -m mount -t tmpfs none disk 2> /dev/null; then
    mount="mount -t tmpfs -o size"
    for k in 4 8 16 32; do attack "a temporary folder of $k KiB" "$mount=${k}k none disk && export TMPDIR=$work/disk"; done
    attack "a full runtime folder" "$mount=4k none disk && mkdir -m 700 disk/r && head -c 4096 /dev/zero > disk/x
        export SOFTWARP_RUNTIME_DIR=$work/disk/r"
    attack "a full cache" "$mount=4k none disk && export CUDA_CACHE_PATH=$work/disk/cache"
    attack "a read-only temporary folder" "mount -t tmpfs -o ro none disk && export TMPDIR=$work/disk"
    attack "a read-only cache" "mount -t tmpfs -o ro none disk && export CUDA_CACHE_PATH=$work/disk/cache"
    attack "no shared memory" "mount -t tmpfs -o ro none /dev/shm"
else
    echo "no mount namespaces here: disks are not tried"
fi
for tool in profile check; do
    expect 5 'cannot write' sh -c "'$softwarp' $tool '$steps' > /dev/full"
done
[ $failed = 0 ] && echo "ok: $made commands"
exit $failed
