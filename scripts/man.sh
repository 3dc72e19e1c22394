#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: man.sh SOFTWARP    Write softwarp.1 to standard output: what `softwarp --help` and `softwarp COMMAND --help` print, which
# comes from the tables of options, so that the page cannot say anything else. Dated by SOURCE_DATE_EPOCH, if that is set.
set -eu
softwarp=$1
export LC_ALL=C
day=$(date -u ${SOURCE_DATE_EPOCH:+-d "@$SOURCE_DATE_EPOCH"} +%Y-%m-%d)

text() # what is printed, as it is: a minus is no hyphen, and a line may begin with a point or an apostrophe
{
    printf '.nf\n'
    sed 's/\\/\\e/g; s/-/\\-/g; s/^\([.'"'"']\)/\\\&\1/'
    printf '.fi\n'
}
version=$("$softwarp" --version | head -n 1)
cat << END
.TH SOFTWARP 1 "$day" "$version" "User Commands"
.SH NAME
softwarp \\- run and profile CUDA programs without a GPU
.SH SYNOPSIS
.B softwarp
.I COMMAND
[options]
.SH DESCRIPTION
Softwarp is a GPU in software: it runs CUDA programs on the CPU, and reports what a chosen GPU would have done.
END
"$softwarp" --help | sed -n '/^commands$/,/^$/{ s/^  \([a-z]*\)  *\(.*\)/.TP\n.B \1\n\2/p; }'
"$softwarp" --help | sed -n '/^softwarp COMMAND --help/,/^$/p' | { printf '.PP\n'; sed 's/-/\\-/g; /^$/d'; }
for command in $("$softwarp" --help | sed -n '/^commands$/,/^$/s/^  \([a-z]*\)  .*/\1/p'); do
    case $command in cc | ptxas) continue ;; esac # their options are a compiler's
    printf '.SH %s\n' "$(printf '%s' "$command" | tr '[:lower:]' '[:upper:]')"
    "$softwarp" "$command" --help | text
done
cat << END
.SH COMPILERS
.B softwarp\\-cc
and
.B softwarp\\-ptxas
are
.B softwarp cc
and
.B softwarp ptxas
under names of one word, for build systems.
.SH SEE ALSO
The documents and examples in
.IR ../share/doc/softwarp ,
beside the folder of this command.
END
