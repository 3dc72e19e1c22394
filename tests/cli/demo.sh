#!/bin/sh
# `make demo` ends with what to change first and what to type next, on one screen; and what it says to type works.
# usage: demo.sh BUILD SOURCE-TREE
set -u
build=$1 source=$2
. "$(dirname "$0")/../support/script.sh"
export CUDA_CACHE_PATH="$work/cache" NO_COLOR=1 LC_ALL=C
cd "$work" || exit 1
"$source/scripts/demo.sh" "$build" > out 2> err || fail "demo.sh"
[ ! -s err ] || fail "demo.sh says something on standard error"
[ "$(wc -l < out)" -le 75 ] || fail "more than two or three screens"
tail -30 out > screen
for word in 'Let neighbouring threads access' 'transpose.cu:[0-9]' 'saves about' 'That is what to change first' 'softwarp profile --page advice ./program' \
    'softwarp profile --html report.html ./program' 'softwarp cc program.cu -o program'; do
    grep -q -e "$word" screen || fail "no '$word' on the last screen"
done
[ "$(grep -c '^\$ softwarp' out)" = 4 ] || fail "not four commands"

# The commands of its end, as they stand there, on another program.
cp "$source/examples/vectoradd.cu" program.cu
cp "$source/examples/example.h" .
sed -n 's/^  \(softwarp [^ ]*\( [^ ]*\)*\)   .*/\1/p; s/^  \(export PATH=.*\)/\1/p' out | sed 's/  *$//' > commands
[ "$(grep -c . commands)" = 5 ] || fail "not five commands to type: $(cat commands)"
sh -e ./commands > out 2> err || fail "a command that the demo says to type"
[ -s report.html ] || fail "no report.html"
exit $failed
