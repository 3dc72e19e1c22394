#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The forms in which softwarp check reports, its filters and its suppressions, on real findings. usage: reports.sh BUILD SOURCE-TREE
set -u
source=$2
# shellcheck source=tests/support/script.sh
. "$(dirname "$0")/../support/script.sh"
softwarp=$1/bin/softwarp
enter_work
cp "$here/memcheck.cu" .
must "$softwarp" cc -O2 -lineinfo -o memcheck memcheck.cu

# All forms of one run, and one of them on standard output.
expect 4 '' "$softwarp" check --json a.json --html a.html --sarif a.sarif --log-file a.txt ./memcheck called fault
[ -s "$work/out" ] && fail "text on standard output in spite of --log-file"
grep -q 'Device Frame: called(const int \*, int \*, int, bool) in memcheck.cu:' a.txt || fail "no frame of the caller"
grep -q 'return a\[i\]' a.html || fail "no source in HTML"
expect 4 '' "$softwarp" check --json - ./memcheck called fault
cmp -s "$work/out" a.json || fail "--json - is not what --json FILE is"
expect 0 'ERROR SUMMARY: 0 errors' "$softwarp" check --json fine.json ./memcheck called fine
expect 2 'only one of' "$softwarp" check --json - --sarif - ./memcheck called fine
if command -v python3 > /dev/null; then
    expect 4 '' "$softwarp" check --json no_guard.json --sarif no_guard.sarif ./memcheck no_guard fault
    expect 4 '' "$softwarp" check --print-each --json each.json ./memcheck no_guard fault
    python3 "$source/tests/cli/schema.py" "$source/docs/check-schema.json" "$source/docs/check-formats.md" a.json fine.json no_guard.json \
        each.json > "$work/out" 2> "$work/err" || fail "JSON against its schema"
    python3 "$here/forms.py" a.json fine.json no_guard.json each.json -- a.sarif no_guard.sarif > "$work/out" 2> "$work/err" ||
        fail "JSON or SARIF is not what it should be"
fi

# Suppressions: those that are written match what they were written for.
expect 4 '' "$softwarp" check --generate-suppressions s.ini ./memcheck no_guard fault
expect 7 'SUPPRESSED: 24 errors' "$softwarp" check --suppressions s.ini ./memcheck no_guard fault
expect 4 'ERROR SUMMARY: 1 error' "$softwarp" check --suppressions s.ini ./memcheck one_past fault
echo 'kind = leak' > bad.ini
expect 2 'bad.ini:1: .kind. stands before the first' "$softwarp" check --suppressions bad.ini ./memcheck one_past fault
expect 2 'cannot read .none.ini.' "$softwarp" check --suppressions none.ini ./memcheck one_past fault

# Kernels: a launch that is not chosen runs unchecked.
expect 4 'ERROR SUMMARY: 24 errors' "$softwarp" check --kernel-name kns=guard ./memcheck no_guard fault
expect 4 'ERROR SUMMARY: 24 errors' "$softwarp" check --kernel-name kne=_Z8no_guardPiib ./memcheck no_guard fault
expect 4 'ERROR SUMMARY: 24 errors' "$softwarp" check --kernel-name kne=other --kernel-name 'regex=^no_' ./memcheck no_guard fault
expect 4 'ERROR SUMMARY: 24 errors' "$softwarp" check -k '^_Z8no_guard' ./memcheck no_guard fault
expect 4 'ERROR SUMMARY: 24 errors' "$softwarp" check --kernel-name-exclude kns=other ./memcheck no_guard fault
expect 3 'no kernel was checked' "$softwarp" check --kernel-name kne=no_guard ./memcheck no_guard fault
expect 3 'no kernel was checked' "$softwarp" check --kernel-name-exclude kns=other,kns=guard ./memcheck no_guard fault
expect 3 'choose none of the kernels that were launched: no_guard' "$softwarp" check --kernel-name-exclude regex=. ./memcheck no_guard fault
expect 3 'no kernel was checked' "$softwarp" check --launch-skip 1 ./memcheck no_guard fault
expect 4 'ERROR SUMMARY: 24 errors' "$softwarp" check --launch-count 1 ./memcheck no_guard fault
expect 2 'is no filter' "$softwarp" check --kernel-name guard ./memcheck no_guard fault
expect 2 'not a regular expression' "$softwarp" check --kernel-name 'regex=(' ./memcheck no_guard fault

# Tools and words.
expect 2 "no tool named 'lint'" "$softwarp" check --tool memcheck,lint ./memcheck one_past fine
expect 2 'print-level is info, warn or error' "$softwarp" check --print-level all ./memcheck one_past fine
expect 2 'leak-check is full or no' "$softwarp" check --leak-check some ./memcheck one_past fine
expect 2 'track-unused-memory belongs to --tool initcheck' "$softwarp" check --track-unused-memory ./memcheck one_past fine

# In Chinese the lines that people search for stay, and explanations follow.
expect 4 'Invalid __global__ write of size 4 bytes' "$softwarp" check --lang zh ./memcheck no_guard fault
says out '^=========     线程块 \(3,0,0\) 的线程：\(232\.\.255,0,0\)$'
says out '^=========     处理方法：'
sed '/Invalid\|memcheck.cu\|by thread\|Access to\|and is\|Saved host\|Host Frame\|SUMMARY\|SOFTWARP CHECK\|Target application/d' "$work/out" > left
! grep -E '[a-z]+ [a-z]+ [a-z]+' left > /dev/null || fail "English in a Chinese report: $(grep -E '[a-z]+ [a-z]+ [a-z]+' left)"
expect 4 '' "$softwarp" check --lang zh --html zh.html --log-file zh.txt ./memcheck no_guard fault
grep -q '<html lang=zh>' zh.html || fail "an HTML page in Chinese that says it is English"
exit $failed
