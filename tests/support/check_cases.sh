# SPDX-License-Identifier: Apache-2.0
# What tests of wrong accesses share, after script.sh, with $softwarp set: check_cases NAME judges the cases of NAME.cu, built
# as $work/NAME, by the rows of NAME.tsv: case, errors, and what the first one says: kind, thread, address (patterns). A case is found
# with its line, by the same report at any number of threads, and its mended twin has no finding. $cases counts them. The host's own
# addresses differ in each run: cases named $moving are not compared.
# shellcheck shell=sh
# shellcheck disable=SC2154 # script.sh's
cases=0
moving=
tab=$(printf '\t')
check_cases()
{
    file=$1
    grep -v '^#' "$here/$file.tsv" > "$work/cases"
    while IFS=$tab read -r name errors what by address; do
        cases=$((cases + 1))
        line=$(grep -n "FAULT $name\>" "$here/$file.cu" | cut -d: -f1)
        export SOFTWARP_THREADS=3
        expect 4 '' "$softwarp" check "$work/$file" "$name" fault
        grep -v '^==SOFTWARP==' "$work/out" > "$work/three"
        export SOFTWARP_THREADS=1
        expect 4 "ERROR SUMMARY: $errors error" "$softwarp" check "$work/$file" "$name" fault
        grep -v '^==SOFTWARP==' "$work/out" > "$work/one"
        [ "$name" = "$moving" ] || cmp -s "$work/one" "$work/three" || fail "$name: another report with three threads"
        sed '/^========= *$/q' "$work/one" > "$work/first"
        for pattern in "$what" "in $file.cu:$line\$" "by $by" "$address"; do
            grep -q "$pattern" "$work/first" || fail "$name: no '$pattern' in the first error"
        done
        expect 0 'ERROR SUMMARY: 0 errors' "$softwarp" check "$work/$file" "$name" fine
    done < "$work/cases"
}
