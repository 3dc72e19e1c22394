#!/bin/sh
# What an installation leaves works on its own: GPUs, compiler, libraries, and the documents and examples that reports cite; below
# DESTDIR it is whole, and nothing lies elsewhere. usage: install.sh BUILD SOURCE-TREE
set -eu
build=$1
source=$2
. "$(dirname "$0")/../support/script.sh"
must cmake --install "$build" --prefix "$work/prefix"
must env DESTDIR="$work/staged" cmake --install "$build" --prefix "$work/target"
[ ! -e "$work/target" ] || die "something outside DESTDIR: $(find "$work/target")"
files() { (cd "$1" && find . | sort); }
files "$work/prefix" > "$work/installed"
files "$work/staged$work/target" > "$work/below"
cmp "$work/installed" "$work/below" || die "below DESTDIR it is not whole"
find "$work/prefix" -type l > "$work/links"
grep -q '/ptxas$' "$work/links" && grep -q '/lib64$' "$work/links" && grep -q '/softwarp-cc$' "$work/links" && grep -q '/softwarp-ptxas$' "$work/links" && grep -q '/libnvrtc.so$' "$work/links" || die "links are missing: $(cat "$work/links")"
while read -r link; do
    case $(readlink "$link") in /*) die "$link is absolute" ;; esac
    [ -e "$link" ] || die "$link leads nowhere"
done < "$work/links"
enter_work
mv "$work/staged$work/target" "$work/moved" # an installation may lie anywhere
for softwarp in "$work/prefix/bin/softwarp" "$work/moved/bin/softwarp"; do
    doc=$(dirname "$softwarp")/../share/doc/softwarp
    "$softwarp" devices | grep -q h200
    rm -f vectoradd
    "$softwarp" cc -o vectoradd "$doc/examples/vectoradd.cu"
    ./vectoradd -n 1000 # softwarp cc wrote where its libraries are
    "$softwarp" run ./vectoradd -n 1000 | grep -q PASSED || die "run"
    printf '#include <nvrtc.h>\nint main() { nvrtcProgram p; return nvrtcCreateProgram(&p, "__global__ void k() {}", 0, 0, 0, 0) || nvrtcCompileProgram(p, 0, 0); }\n' > rtc.cu
    "$softwarp" cc -o rtc rtc.cu -lnvrtc && ./rtc || die "NVRTC does not find its compiler"
    "$softwarp" profile --metrics gld_transactions --csv --page raw -o out.csv ./vectoradd -n 262144
    grep -q '"65,536"' out.csv

    # What programs, libraries and the README name.
    "$softwarp" --help | grep -q "that reports cite are in .*/share/doc/softwarp" || die "--help does not say where documents are"
    [ "$(cd "$("$softwarp" --help | sed -n 's/.*reports cite are in \(.*\)\.$/\1/p')" && pwd)" = "$(cd "$doc" && pwd)" ] || die "--help names another folder"
    (cd "$doc/../../.." && grep -rhoaE '(docs|examples)/[A-Za-z0-9_.-]+\.(md|cu|h|svg|json)' bin lib share/locale share/doc/softwarp/README.md) | sort -u > cited
    grep -q '^docs/accuracy.md$' cited && grep -q '^docs/time.md$' cited || die "reports cite nothing: $(cat cited)"
    while read -r name; do
        [ -s "$doc/$name" ] || die "$name is cited and not installed"
    done < cited
done
diff -r "$source/docs" "$work/prefix/share/doc/softwarp/docs" && diff -r "$source/examples" "$work/prefix/share/doc/softwarp/examples" || die "documents differ"
