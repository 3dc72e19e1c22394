# Read by the tests of the command line (". expect.sh"): a folder $work that goes with them, and
#   expect STATUS PATTERN COMMAND...   its exit status, and a pattern somewhere in what it prints ('': anything)
#   fail TEXT...                       says what is wrong, with the output of the last expect; $failed is 1 from then on
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail()
{
    printf 'FAILED: %s\n' "$*"
    [ ! -s "$work/out" ] || sed 's/^/  out: /' "$work/out" | head -30
    [ ! -s "$work/err" ] || sed 's/^/  err: /' "$work/err" | head -30
    failed=1
}
expect()
{
    status=$1 pattern=$2
    shift 2
    "$@" > "$work/out" 2> "$work/err"
    got=$?
    [ "$got" = "$status" ] || fail "exit status $got, not $status" "$@"
    cat "$work/out" "$work/err" | grep -q -e "$pattern" || fail "no '$pattern' in the output" "$@"
}
