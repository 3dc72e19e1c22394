#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Reports in Chinese: by --lang and by the locale, which need not be installed; every text has its translation.
# usage: chinese.sh BUILD SOURCE-TREE
set -u
build=$1 source=$2
. "$(dirname "$0")/../support/script.sh"
expect() # PATTERN ENVIRONMENT [--lang LANG]
{
    pattern=$1 environment=$2
    shift 2
    env -u LC_ALL -u LC_MESSAGES -u LANG -u LANGUAGE "$environment" "$build/bin/softwarp" profile "$@" --page advice -o "$work/report" "$work/strided" fault \
        > "$work/out" 2>&1 || fail "profile $*: $(cat "$work/out")"
    tr -d '\n' < "$work/report" | sed 's/     //g' | grep -q "$pattern" || fail "$environment $*: no '$pattern' in $(head -3 "$work/report")"
}
"$build/bin/softwarp" cc -o "$work/strided" "$source/tests/advice/strided-access.cu" || exit 1
chinese='让相邻线程访问相邻元素\(（\)\{0,1\}.*strided-access'
english='Let neighbouring threads access neighbouring elements'
expect "$chinese" LANG=C --lang zh
expect "$chinese" LANG=zh_CN.UTF-8
expect "$chinese" LC_ALL=zh_CN
expect "$english" LANG=de_DE.UTF-8
expect "$english" LANG=zh_CN.UTF-8 --lang en
expect '步长为 16 *字节' LANG=C --lang zh
"$build/bin/softwarp" profile --lang fr "$work/strided" fine > "$work/out" 2>&1
[ $? = 2 ] || fail "--lang fr is not refused"

# No English sentence is left on any page: names of metrics begin with capitals, so three small words in a row are one.
for page in details source raw advice; do
    "$build/bin/softwarp" profile --lang zh --page $page -o "$work/page.$page" "$work/strided" fault > "$work/out" 2>&1 || fail "--page $page: $(cat "$work/out")"
done
"$build/bin/softwarp" profile --lang zh --html "$work/page.html" "$work/strided" fault > "$work/out" 2>&1 || fail "--html: $(cat "$work/out")"
grep -q '<html lang=zh>' "$work/page.html" || fail "an HTML page in Chinese that says it is English"
sed -i '/<style>/,/<\/style>/d; s|<td class=code>.*||; s|<[^>]*>||g' "$work/page.html"
"$build/bin/softwarp" trace --lang zh -o "$work/timeline.json" "$work/strided" fault > "$work/page.trace" 2>&1 || fail "trace: $(cat "$work/page.trace")"
grep -q '关键路径' "$work/page.trace" || fail "a timeline's summary that is not Chinese"
if grep -E '(^|[^a-zA-Z_*/.])[a-z]+ [a-z]+ [a-z]+([^a-zA-Z_*(]|$)' "$work"/page.*; then fail "English on a Chinese page"; fi

# Every text that is marked for translation has one, with the same formats.
cd "$source" || exit 1
# shellcheck disable=SC2046
xgettext -L C -k_ -kN_ --from-code=UTF-8 --omit-header -o "$work/softwarp.pot" $(find src -name '*.c' -o -name '*.def' | sort)
grep -q 'msgid' "$work/softwarp.pot" || fail "no texts are marked"
msgcmp po/zh_CN.po "$work/softwarp.pot" > "$work/out" 2>&1 || fail "texts without a translation: $(cat "$work/out")"
msgfmt --check-format -o /dev/null po/zh_CN.po > "$work/out" 2>&1 || fail "po/zh_CN.po: $(cat "$work/out")"
exit $failed
