#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Assemble every form with ptxas for sm_90a. usage: assemble.sh FORMS_MAKE DIR
# Writes DIR/NNNN.cubin, and DIR/refused.txt: "number<TAB>form<TAB>ptxas' message" for each form that ptxas refuses. Modules
# with an error are assembled again without the forms in error, until none is left.
set -u
make=$1 dir=$2
table=$(cd "$(dirname "$0")" && pwd)/forms.txt
mkdir -p "$dir"
: > "$dir/refused.num"
assemble() { # one module: its errors as "form<TAB>message"
    ptxas -arch=sm_90a "$1" -o "${1%.ptx}.cubin" > "${1%.ptx}.log" 2>&1 && { echo ok > "${1%.ptx}.log"; return; }
    awk -v log_file="${1%.ptx}.log" '
        /\/\/ form /{ form = $NF } { of[FNR] = form }
        END {
            while ((getline line < log_file) > 0)
                if (match(line, /line [0-9]+;/)) {
                    n = substr(line, RSTART + 5, RLENGTH - 6) + 0
                    sub(/.*(error|fatal) *: */, "", line)
                    if (!(of[n] in seen)) print of[n] "\t" line
                    seen[of[n]] = 1
                }
        }' "$1" > "${1%.ptx}.errors"
}
export -f assemble
"$make" ptx "$table" "$dir"
todo=$(ls "$dir"/*.ptx)
for round in $(seq 40); do
    rm -f "$dir"/*.errors
    echo "$todo" | xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'assemble {}'
    todo=$(grep -L '^ok$' "$dir"/*.log | sed 's/log$/ptx/')
    [ -n "$todo" ] || break
    cat "$dir"/*.errors >> "$dir/refused.num"
    "$make" ptx "$table" "$dir" "$dir/refused.num" > /dev/null
    echo "round $round: $(wc -l < "$dir/refused.num") refused, $(echo "$todo" | wc -l) modules left"
done
"$make" list "$table" | awk -F'\t' 'NR == FNR { why[$1] = $2; next } $1 in why { print $1 "\t" $4 "\t" why[$1] }' \
    "$dir/refused.num" - > "$dir/refused.txt"
wc -l "$dir/refused.txt"
