# SPDX-License-Identifier: Apache-2.0
# What test scripts have in common; dash and bash, with set -e or without:   . "$(dirname "$0")/../support/script.sh"
#   $here, $work                       the script's folder; a folder for its files, which is removed when the script ends
#   enter_work                         makes $work the current folder, with a cache of compiled code of its own
#   expect STATUS PATTERN COMMAND...   the command's exit status, and a pattern somewhere in what it prints ('': anything)
#   says out|err REGEX                 what the command of the last expect printed there
#   fail TEXT...                       says what is wrong, with the output of the last command; $failed is 1 from then on
#   die TEXT...                        the same, and ends the script
#   must COMMAND...                    dies unless it succeeds
#   in_share PLACE                     is it of the share that SW_SHARE=K/N asks for: every Nth, from the Kth on (from 0)?
#   skip TEXT...                       the test cannot run here
#   exported LIBRARY, listed TABLE     names of functions, sorted: of a library; of a table of API functions
#   describe_machine [FIELDS]          for recordings: the GPU, its driver, FIELDS (",clocks.max.sm") of nvidia-smi, toolkit, processor, date
#   recorded_by SCRIPT                 the first line of a recording
# shellcheck shell=sh
# shellcheck disable=SC2034 # read by the scripts
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
enter_work()
{
    cd "$work" || exit 1
    export CUDA_CACHE_PATH="$work/cache"
}
fail()
{
    printf 'FAILED: %s\n' "$*"
    for printed in "$work/out" "$work"/out.* "$work/err"; do
        [ ! -s "$printed" ] || sed "s|^|  ${printed##*/}: |" "$printed" | head -30
    done
    failed=1
}
die()
{
    fail "$@"
    exit 1
}
must()
{
    "$@" > "$work/out" 2> "$work/err" || die "$@"
}
in_share()
{
    [ -z "${SW_SHARE-}" ] || [ $(($1 % ${SW_SHARE#*/})) = $((${SW_SHARE%/*} % ${SW_SHARE#*/})) ]
}
skip()
{
    echo "SKIPPED: $*"
    exit 77
}
expect()
{
    status=$1 pattern=$2 got=0
    shift 2
    "$@" > "$work/out" 2> "$work/err" || got=$?
    [ "$got" = "$status" ] || fail "exit status $got, not $status:" "$@"
    [ -z "$pattern" ] || cat "$work/out" "$work/err" | grep -q -e "$pattern" || fail "no '$pattern' in the output:" "$@"
}
says()
{
    grep -Eq -- "$2" "$work/$1" || fail "no '$2' in std$1"
}
exported()
{
    nm -D --defined-only "$1" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | LC_ALL=C sort
}
listed()
{
    sed -n 's/^\(DONE\|REFUSED\)(\([A-Za-z0-9_]*\).*/\2/p' "$1" | LC_ALL=C sort
}
describe_machine()
{
    nvidia-smi --query-gpu="name,driver_version${1-}" --format=csv
    nvcc --version | tail -2
    command -v ncu > /dev/null && ncu --version | tail -1
    lscpu | grep -E 'Model name|NUMA node\(s\)' || true
    date -u +%Y-%m-%d
}
recorded_by()
{
    toolkit=$(nvcc --version 2> /dev/null | sed -n 's/.*release \([0-9.]*\).*/ CUDA \1,/p')
    echo "# $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1),$toolkit $(date +%F); how it was made: $1"
}
