#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: launches.sh BUILD SOURCE     Which launches profile takes: by ncu's identifier, and where it ends the program.
softwarp=$1/bin/softwarp source=$2
. "$(dirname "$0")/../support/script.sh"
enter_work
must "$softwarp" cc "$source/tests/cli/launches.cu" -o program

# profiled OPTION...: the kernels in their order, in one line
profiled() {
    "$softwarp" profile --csv --metrics gpu__time_duration.sum -o report "$@" ./program > out 2> err || fail "profile $*: $(cat err)"
    sed -n 's/^"[0-9].*"\(void tests::\|(anonymous namespace)::\)\(raise\|twice\)[<(].*/\2/p' report | tr '\n' ' '
}
chooses() { # EXPECTED OPTION...
    wanted=$1 && shift
    chosen=$(profiled "$@")
    [ "$chosen" = "$wanted" ] || fail "$*: '$chosen', not '$wanted'"
}
chooses 'raise twice raise twice ' --kernel-id ':::1|4'
chooses 'twice twice ' --kernel-id '::twice:5|6|16'
chooses 'raise ' --kernel-id '::raise:[2]'
chooses 'raise raise raise raise raise raise ' --kernel-id '::raise:'
chooses 'raise ' --kernel-id '::regex:tests.*4>:1'
chooses 'twice ' --kernel-id ':::2|3' -s 3
says out "^the program's end" || fail "the program did not come to its end"

chooses 'raise twice raise ' --kernel-id ':::1|4' -c 3 --kill yes
grep -q "the program.s end" out && fail "the program was not ended"
chooses 'raise twice ' -c 2 --kill no
says out "the program's end" || fail "the program was ended without being asked"
chooses 'twice ' -k twice -c 1 --kill yes
grep -q "the program.s end" out && fail "the program was not ended after the kernel that was asked for"

expect 0 '' "$softwarp" profile --kernel-id '::rais:' ./program # a whole name
says err "no launch matches --kernel-id '::rais:'" || fail "nothing about what was asked for"
says err '^==SOFTWARP== --kernel-id matches none of the kernels that were launched: .*twice' || fail "which kernels there are"
expect 2 'contexts and streams cannot be chosen' "$softwarp" profile --kernel-id '1::twice:2' ./program
expect 2 'contexts and streams cannot be chosen' "$softwarp" profile --kernel-id ':7:twice:2' ./program
expect 2 'not of the form' "$softwarp" profile --kernel-id twice ./program
expect 2 'no valid regular expression' "$softwarp" profile --kernel-id ':::(' ./program
expect 2 'no valid regular expression' "$softwarp" profile --kernel-id '::regex:(:1' ./program
expect 2 'exclude each other' "$softwarp" profile -k twice --kernel-id ':::1' ./program
expect 2 'needs a number of launches' "$softwarp" profile --kill yes ./program
expect 2 'not a value of --kill' "$softwarp" profile --kill now -c 1 ./program
