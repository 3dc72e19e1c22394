#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Planted bugs (planted.h): softwarp check finds each, with its line and that of the other access, and nothing in the mended twin;
# under softwarp run the mended twin has the right result, and the wrong one ends. usage: run.sh BUILD FILE [--update]
# FILE.tsv has a row a case: case, tool (with options) and kind; KINDS below has what the report says of a kind. What check does not
# do yet stands in pending.txt: "FILE CASE VARIANT REASON". A row that does it now must be taken from there, which --update does.
# Cases whose tool check refuses are named as skipped.
set -u
. "$(dirname "$0")/../support/script.sh"
softwarp=$1/bin/softwarp
file=$2
update=${3:-}
export CUDA_CACHE_PATH="$work/cache"
must "$softwarp" cc -O2 -std=c++17 -arch=sm_90 -lineinfo -o "$work/$file" "$here/$file.cu"

declare -A KINDS=(
    [bounds]='Invalid __[a-z]*__ .* of size|Invalid .* access|is out of bounds'
    [misaligned]='is misaligned'
    [race-shared]='Race reported'
    [race-global]='Race reported'
    [race-host]='Race reported'
    [race-launches]='To do: Put both operations into one stream'
    [init-global]='Uninitialized __global__ memory read'
    [init-shared]='Uninitialized __shared__ memory read'
    [init-local]='Uninitialized __local__ memory read'
    [init-host]='Uninitialized access'
    [unused]='Unused memory'
    [barrier]='Barrier error detected'
    [warp]='Barrier error detected'
    [leak]='Leaked .* bytes'
    [free]='Malloc/Free Error encountered|Program hit'
    [call]='Program hit'
)
ON_HOST=' race-host init-host unused leak free call ' # at least one side is a call: its line is not asked for

lines_of() # FAULT|OTHER CASE: pattern of the places, or nothing
{
    grep -n "$1 $2\>" "$here/$file.cu" | cut -d: -f1 | sed "s/.*/$file.cu:&\$/" | paste -sd'|'
}

# Whether an error of the report has the kind's text and the place (and the other place); errors are apart by empty "=========" lines.
reported() # KIND CASE
{
    local fault other=''
    fault=$(lines_of FAULT "$2")
    case $ON_HOST in
    *" $1 "*) fault=. ;;
    *) other=$(lines_of OTHER "$2") ;;
    esac
    sed 's/ \[[0-9]* hazards*\]$//' "$work/out" | awk -v kind="${KINDS[$1]}" -v fault="$fault" -v other="${other:-.}" '
        function end() { if (k && f && o) found = 1; k = f = o = 0 }
        /^=========[ ]*$/ { end() }
        $0 ~ kind { k = 1 }
        $0 ~ fault { f = 1 }
        $0 ~ other { o = 1 }
        END { end(); exit !found }'
}

judge() # CASE VARIANT TOOL KIND: 0 right, 1 wrong (why), 2 the tool is refused
{
    local status=0
    # shellcheck disable=SC2086 # the options of the tool are words
    timeout 60 "$softwarp" check --tool $3 "$work/$file" "$1" "$2" > "$work/out" 2> "$work/err" || status=$?
    if [ $status = 3 ] || [ $status = 2 ]; then
        grep -Eq 'is not supported|unknown option|not supported yet' "$work/err" && return 2
    fi
    if [ "$2" = fine ]; then
        why="a finding in the mended one, or exit status $status"
        [ $status = 0 ]
    elif [ $status != 4 ]; then
        why="exit status $status, no finding"
        return 1
    else
        why="findings, and none with the text and the lines of the case"
        reported "$4" "$1"
    fi
}

"$work/$file" > "$work/names" 2> "$work/err" || die "$file does not list its cases"
grep -v '^#' "$here/$file.tsv" > "$work/rows"
cut -f1 "$work/rows" | cmp -s - "$work/names" || die "$file.tsv has other cases than $file.cu"
cases=0 right=0
declare -A refused
: > "$work/pending"
while IFS=$'\t' read -r name tool kind; do
    cases=$((cases + 1))
    [ -n "${KINDS[$kind]:-}" ] || die "$name: no kind $kind"
    [ -n "$(lines_of FAULT "$name")" ] || fail "$name: no line has FAULT $name"
    expect 0 '' timeout 60 "$softwarp" run "$work/$file" "$name" fine
    timeout 60 "$softwarp" run "$work/$file" "$name" fault > "$work/out" 2> "$work/err"
    case $? in 0 | 7) ;; *) fail "$name fault does not end well under run" ;; esac
    for variant in fault fine; do
        judge "$name" "$variant" "$tool" "$kind"
        case $? in
        2) refused[$tool]="${refused[$tool]:-} $name" && continue 2 ;;
        0)
            right=$((right + 1))
            [ -n "$update" ] || ! grep -q "^$file $name $variant " "$here/pending.txt" || fail "$name $variant is done now: take it from pending.txt"
            ;;
        *)
            echo "$file $name $variant $why" >> "$work/pending"
            [ -n "$update" ] || grep -q "^$file $name $variant " "$here/pending.txt" || fail "$name $variant: $why"
            ;;
        esac
    done
done < "$work/rows"
for tool in "${!refused[@]}"; do
    echo "skipped, check refuses --tool $tool:${refused[$tool]}"
done
if [ -n "$update" ]; then
    { grep -v "^$file " "$here/pending.txt"; cat "$work/pending"; } | LC_ALL=C sort > "$work/all"
    cp "$work/all" "$here/pending.txt"
fi
echo "$cases cases, $right of $((2 * cases)) variants judged right, $(wc -l < "$work/pending") pending"
exit "$failed"
