#!/bin/sh
# The command line's contract without any CUDA program: exit statuses, messages, where text goes.
# usage: contract.sh BUILD
set -u
build=$1
softwarp=$build/bin/softwarp
tests=$build/tests
unset SOFTWARP_DEVICE SOFTWARP_SESSION
. "$(dirname "$0")/../support/script.sh"
quiet() # what is not a result goes to standard error, with the prefix
{
    [ ! -s "$work/out" ] || fail "standard output is not empty" "$@"
    grep -q -v '^==SOFTWARP== ' "$work/err" && fail "a line without prefix" "$@"
}

expect 2 'usage: softwarp' "$softwarp"
expect 0 'Run a CUDA program' "$softwarp" --help
expect 0 'softwarp [0-9]' "$softwarp" --version
expect 2 "unknown command 'fly'" "$softwarp" fly
expect 2 "program 'x' not found" "$softwarp" check x
quiet check
# -o writes to a pipe or a device, and does not put a file in its place
mkfifo "$work/pipe"
cat "$work/pipe" > "$work/piped" &
"$softwarp" ptx -o "$work/pipe" "$(dirname "$0")/../exec/kernels/vector_add.ptx" || fail "ptx -o PIPE"
[ -p "$work/pipe" ] || fail "-o put a file in the place of a pipe"
wait $!
grep -q '^.version' "$work/piped" || fail "nothing came through the pipe"
expect 0 'usage: softwarp profile' "$softwarp" profile --help
expect 2 "unknown option '--colour'" "$softwarp" profile --colour x; quiet bad option
expect 2 "needs a value" "$softwarp" profile --device; quiet no value
expect 2 "is not a number" "$softwarp" profile -c many x; quiet not a number
expect 2 "no program given" "$softwarp" profile; quiet no program
expect 2 "no program given" "$softwarp" run --device t4; quiet no program
expect 2 "there is no metric named 'speed'" "$softwarp" profile --metrics speed /bin/true; quiet bad metric
expect 3 "lacks that part of the timing model" "$softwarp" profile --metrics smsp__cycles_active.avg /bin/true; quiet later metric
expect 3 "lacks that part of the cache model" "$softwarp" profile --metrics inst_executed,lts__d_sectors.sum /bin/true
expect 2 "'front' is not a value of --page" "$softwarp" profile --page front /bin/true
expect 2 "there is no set named" "$softwarp" profile --set most /bin/true
expect 2 "not a regular expression" "$softwarp" profile -k '(' /bin/true
expect 0 'no kernel was profiled' "$softwarp" profile --device fx570 /bin/true
expect 3 "cannot mix GPUs" "$softwarp" profile --device h200,m2090 /bin/true
expect 2 "there is no GPU named 'x'" "$softwarp" profile --device h200:2,x /bin/true
expect 2 'already names the output file' "$softwarp" profile --html x.html -o y /bin/true
expect 2 'exclude each other' "$softwarp" profile --html x.html --json /bin/true

expect 0 'NVIDIA H200' "$softwarp" devices
expect 0 '"name": "t4"' "$softwarp" devices --json
expect 0 'sm_count' "$softwarp" devices v100
expect 0 '"source": ' "$softwarp" devices v100 --json
expect 2 "there is no GPU named 'h900': choose one of a100" "$softwarp" devices h900; quiet no device
expect 0 '8 resident blocks and 64 of 64 warps' "$softwarp" occupancy --device h200 --block 256 --regs 22
expect 0 '"varied","value"' "$softwarp" occupancy --device h200 --block 256 --csv
expect 0 '"limit_warps": 8' "$softwarp" occupancy --block 256 --json
expect 0 'limited by registers' "$softwarp" occupancy --device p100 --block 512 --regs 65
expect 0 '@' "$softwarp" occupancy --device fx570 --block 128 --regs 12
expect 0 'resident threads: 384 (2 blocks per multiprocessor' "$softwarp" occupancy --device fx570 --block 128 --regs 10
expect 0 '"shared","0","8"' "$softwarp" occupancy --block 256 --regs 22 --csv
expect 0 'needs 40 warps; 64 are resident' "$softwarp" occupancy --device k20x --block 128 --latency 300 --intensity 30
expect 0 '"latency": {"cycles": 11, "intensity": 1, "warps": 44}' "$softwarp" occupancy --device k20x --block 128 --latency 11 --json
expect 2 'at least 1' "$softwarp" occupancy --block 128 --latency 11 --intensity 0
expect 2 'exclude each other' "$softwarp" occupancy --block 256 --json --csv
expect 2 'block of 2000 threads is not possible' "$softwarp" occupancy --block 2000
expect 2 'is required' "$softwarp" occupancy
# Amdahl: 3/4 of the time bring 4 at most (the guide's example); Gustafson: 100 + (1 - 3/4) (1 - 100)
profile=$(dirname "$0")/gprof.txt
expect 0 '"solve(double\*, int)","75","3","1,000","3.08","3.88","4","75.25"' "$softwarp" assess --csv "$profile"
expect 0 '"the first 2 together","95","3.8","","6.9","16.81","20","95.05"' "$softwarp" assess --csv "$profile"
expect 0 'main  *5' "$softwarp" assess "$profile"
expect 2 'has no flat profile' "$softwarp" assess "$0"
expect 2 'one flat profile is needed' "$softwarp" assess
expect 2 'two reports are needed' "$softwarp" compare x
expect 2 "cannot read 'nosuch.json'" "$softwarp" compare nosuch.json nosuch.json
expect 2 'is more than' "$softwarp" occupancy --block 64 --regs 300
expect 2 'too few registers for 1024 threads with 128 registers each; use at most --regs 64, or --block 512$' "$softwarp" occupancy --block 1024 --regs 128; quiet no block fits
expect 0 'occupancy' "$softwarp" occupancy --block 1024 --regs 64
expect 0 'occupancy' "$softwarp" occupancy --block 512 --regs 128
expect 2 '300000 bytes of shared memory .* use at most --smem 232448$' "$softwarp" occupancy --block 128 --smem 300000 --json; quiet no block fits
expect 0 'occupancy' "$softwarp" occupancy --block 128 --smem 232448
expect 2 "has no samples: the program ended too soon" "$softwarp" assess "$(dirname "$0")/gprof_empty.txt"; quiet no samples
expect 2 "has no samples" "$softwarp" assess --csv "$(dirname "$0")/gprof_empty.txt"; quiet no samples
expect 2 'must be at least 1' "$softwarp" assess --count 0 "$profile"; quiet no hotspots

# Every subcommand: an option that it does not know, and an option without a value, is wrong use.
for command in run profile trace occupancy compare assess devices smi ptx cache; do
    expect 2 "unknown option '--bogus'" "$softwarp" $command --bogus; quiet $command
done
expect 2 "value 'soon' of option '-l' is not a number" "$softwarp" smi -l soon; quiet smi
for option in --device --output --metrics --kernel; do
    expect 2 "option '$option' needs a value" "$softwarp" profile $option '' /bin/true; quiet $option
    expect 2 "option '$option' needs a value" "$softwarp" profile $option= /bin/true; quiet $option
done

# An instruction that is not known: its text, place, kernel and source line.
cat > "$work/unknown.ptx" << 'END'
.version 8.0
.target sm_75
.address_size 64
.file 1 "/src/k.cu"
.visible .entry k()
{
    .reg .b32 %r<2>;
    .loc 1 12 5
    bad.instr %r1;
    ret;
}
END
for option in --check --summary '--output=/dev/null'; do
    expect 3 "unknown.ptx:9:5: unknown instruction 'bad.instr %r1' in kernel 'k' (/src/k.cu:12)" "$softwarp" ptx "$option" "$work/unknown.ptx"; quiet ptx
done
expect 3 "unknown instruction 'add.f99" "$softwarp" ptx - << 'END'
.version 8.0
.target sm_75
.address_size 64
.func f() { .reg .f32 %f<2>; add.f99 %f1, %f1, %f1; ret; }
END
expect 0 'entry ' "$softwarp" ptx --summary "$(dirname "$0")/../ptx/accept/opcodes.ptx"

expect 2 "program './nosuch' not found" "$softwarp" run ./nosuch; quiet no program
expect 2 "not found in PATH" "$softwarp" run nosuchprogram; quiet no program
expect 2 "is not executable" "$softwarp" run /etc/passwd; quiet no program
expect 2 "there is no GPU named 'h900'" "$softwarp" run --device h900 /bin/true; quiet no device
expect 2 "there is no GPU named 'h900'" env SOFTWARP_DEVICE=t4,h900 "$softwarp" run /bin/true; quiet no device
expect 0 '^hello$' "$softwarp" run -- /bin/echo hello
[ ! -s "$work/err" ] || fail "a program that uses no CUDA makes us talk"
expect 7 '^--flag$' "$softwarp" run "$tests/cli_exit_with" 7 --flag
expect 134 '' "$softwarp" run "$tests/cli_exit_with" abort
expect 3 'nvcc -cudart shared' "$softwarp" run "$tests/cli_static_runtime"; quiet static runtime
expect 0 'no kernel was profiled' "$softwarp" profile /bin/true
expect 0 '^SOFTWARP_DEVICE=t4$' "$softwarp" run --device t4 "$tests/cli_print_environment"
expect 0 "^LD_LIBRARY_PATH=$build/lib" "$softwarp" run "$tests/cli_print_environment"
expect 0 "^LD_PRELOAD=$build/lib/libcuda.so.1.*:$build/lib/libcublas.so.13:$build/lib/libcublas.so.12" "$softwarp" run "$tests/cli_print_environment"

# A signal sent to softwarp reaches the program, whose answer is the exit status; no folder is left behind.
: > "$work/out" # what the one before wrote
TMPDIR=$work "$softwarp" run "$tests/cli_sleeper" > "$work/out" 2> "$work/err" &
pid=$!
i=0
until grep -q waiting "$work/out" || [ $i = 50 ]; do sleep 0.1; i=$((i + 1)); done
kill -TERM $pid
wait $pid
got=$?
[ $got = 9 ] || fail "SIGTERM gave exit status $got, not 9"
: > "$work/out" # what the one before wrote
TMPDIR=$work "$softwarp" run "$tests/cli_sleeper" > "$work/out" 2> "$work/err" &
pid=$!
i=0
until grep -q waiting "$work/out" || [ $i = 50 ]; do sleep 0.1; i=$((i + 1)); done
kill -HUP $pid
wait $pid
got=$?
[ $got = 129 ] || fail "SIGHUP gave exit status $got, not 129"
[ -z "$(ls -d "$work"/softwarp-* 2> /dev/null)" ] || fail "a session folder was left behind"

# What a command leaves that is killed goes when the next one starts; one that runs keeps its folder, however old.
: > "$work/out" # what the one before wrote
TMPDIR=$work "$softwarp" run "$tests/cli_sleeper" > "$work/out" 2> "$work/err" &
pid=$!
i=0
until grep -q waiting "$work/out" || [ $i = 50 ]; do sleep 0.1; i=$((i + 1)); done
left=$(ls -d "$work"/softwarp-session-*)
[ -f "$left/lock" ] || fail "a session folder without a lock"
touch -d '2 hours ago' "$left" "$left"/*
next() { TMPDIR=$work "$softwarp" run "$tests/cli_print_environment" > "$work/other" 2>&1 || fail "a run beside others: $(cat "$work/other")"; }
next
[ -d "$left" ] || fail "the folder of a command that runs was removed"
sleeper=$(pgrep -P $pid)
kill -KILL $pid
wait $pid 2> /dev/null
kill -KILL "$sleeper" 2> /dev/null
[ -d "$left" ] || fail "a killed command removed its folder"
next
[ ! -d "$left" ] || fail "the folder of a killed command stayed"

# Folders without a lock: of older versions, or of a command that was killed while it made one. They go after an hour without
# a change, and only with files of ours in them.
for name in softwarp-oldOLD softwarp-newNEW softwarp-session-oldOLD softwarp-session-newNEW softwarp-theirs softwarp-linked; do
    mkdir "$work/$name"
    : > "$work/$name/options"
    : > "$work/$name/process-00000"
    touch -d '2 hours ago' "$work/$name"/* "$work/$name"
done
touch "$work/softwarp-newNEW/process-00000" "$work/softwarp-session-newNEW/options" # written to not long ago
: > "$work/softwarp-theirs/results.csv"
rm "$work/softwarp-linked/process-00000" && ln -s /etc/passwd "$work/softwarp-linked/process-00000"
mkdir "$work/softwarp-emptyX" # of anybody
touch -d '2 hours ago' "$work"/softwarp-theirs/* "$work/softwarp-theirs" "$work/softwarp-linked" "$work/softwarp-emptyX"
others=
if [ "$(id -u)" = 0 ]; then # another user's
    cp -rp "$work/softwarp-oldOLD" "$work/softwarp-others" && chown -R nobody "$work/softwarp-others" && others=softwarp-others
fi
next
for name in softwarp-oldOLD softwarp-session-oldOLD; do
    [ ! -d "$work/$name" ] || fail "$name stayed"
done
for name in softwarp-newNEW softwarp-session-newNEW softwarp-theirs softwarp-linked softwarp-emptyX $others; do
    [ -d "$work/$name" ] || fail "$name was removed"
    [ "$name" = softwarp-emptyX ] || [ -e "$work/$name/options" ] || fail "files of $name were removed"
done

exit $failed
