#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: session_corpus.sh BUILD    Writes the corpus of session records anew (tests/fuzz/corpus/session), as it must be when their
# format changes: records of another version are refused, and the test fuzz_session_corpus says so.
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$build/bin/softwarp" cc -gline-tables-only -o session "$here/session.cu"
cat > keep.sh <<'EOF'
#!/bin/sh
./session $1
cp "$SOFTWARP_SESSION"/process-* "$OUT"
EOF
chmod +x keep.sh
OUT=$here/corpus/session/profile "$build/bin/softwarp" profile ./keep.sh > profile.log
OUT=$here/corpus/session/check "$build/bin/softwarp" check --tool all ./keep.sh wrong > check.log || true # it finds errors
ls -l "$here/corpus/session"
