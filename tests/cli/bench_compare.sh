#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: bench_compare.sh SOURCE   What bench/compare.py takes for a slowdown: two fake builds, whose times stand in files. A run
# counts itself, so that a time may depend on when it was measured.
set -eu
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; cat "$work/out"; exit 1; }

# fake NAME KERNELS...: KERNEL=MS always, KERNEL=MS:OTHER from the fourth run of the kernel on
fake() {
    name=$1
    shift
    cat > "$work/$name" << END
#!/bin/sh
for k in $*; do
    kernel=\${k%%=*} ms=\${k#*=}
    [ -z "\${1:-}" ] || [ "\$1" = "\$kernel" ] || continue
    echo x >> "$work/$name.\$kernel"
    [ "\$(wc -l < "$work/$name.\$kernel")" -le 3 ] && ms=\${ms%:*} || ms=\${ms#*:}
    printf '%s\t%s\n' "\$kernel" "\$ms"
done
END
    chmod +x "$work/$name"
    rm -f "$work/$name".*
}
compare() { # expected status
    set +e
    "$source/bench/compare.py" "$work/base" "$work/new" > "$work/out" 2>&1
    status=$?
    set -e
    [ $status = "$1" ] || fail "status $status, not $1"
}

fake base vadd=2.00 matmul=40.0 gather=5.0
fake new vadd=2.00 matmul=48.0 gather=5.0
compare 1
grep -q '^SLOWER: matmul: 1.20 times' "$work/out" || fail "no word of matmul"
[ "$(grep -c '^SLOWER' "$work/out")" = 1 ] || fail "more than matmul is slower"

fake base vadd=2.00 matmul=40.0
fake new vadd=2.18 matmul=20.0
compare 0

# slow in the first series alone
fake base vadd=2.00 matmul=40.0
fake new vadd=2.00 matmul=60.0:40.0
compare 0
grep -q 'matmul.*not confirmed' "$work/out" || fail "no word of what was not confirmed"
[ "$(wc -l < "$work/new.vadd")" = 3 ] || fail "vadd was measured again"

# one run of three is slow: the median is not
fake base vadd=2.00
fake new vadd=2.00
cp "$work/new" "$work/steady"
cat > "$work/new" << END
#!/bin/sh
[ -e "$work/once" ] && exec "$work/steady" "\$@"
touch "$work/once"
printf 'vadd\t9.00\n'
END
compare 0

# kernels of one side alone are named; without a common one nothing can be said
fake base vadd=2.00 old=1.0
fake new vadd=2.00 fresh=1.0
compare 0
grep -q '^not in both: fresh' "$work/out" && grep -q '^not in both: old' "$work/out" || fail "no word of old and fresh"
fake new fresh=1.0
compare 2
printf '#!/bin/sh\nexit 3\n' > "$work/new"
compare 2
echo ok
