#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: ci.sh BUILD SOURCE-TREE    The steps of examples/ci, taken from its YAML, pass in a clean folder and leave their reports; a kernel that loads
# twice fails at the gate, and its reports say so; a kernel that writes past its array fails at the check. GitLab's steps are the
# same. The steps of the action run a program.
set -u
build=$1 source=$2
# shellcheck source=tests/support/script.sh
. "$(dirname "$0")/../support/script.sh"
export CUDA_CACHE_PATH="$work/cache" GITHUB_STEP_SUMMARY="$work/summary"
export PATH="$build/bin:$PATH" SOFTWARP_TOOLCHAIN="$build/share/softwarp/cmake/softwarp-toolchain.cmake"
cp -a "$source/examples/ci" "$work/project"
"$here/steps.py" "$source/examples/ci/.github/workflows/gpu.yml" > "$work/steps" || die "the workflow cannot be read"

run_steps() # what GitHub does: a step that fails is the last; $failing is the number of that one, or 0
{
    failing=0
    number=0
    while IFS= read -r step; do
        number=$((number + 1))
        (cd "$work/project" && bash -e -o pipefail -c "$(printf %b "$step")") > "$work/out" 2> "$work/err" < /dev/null && continue
        failing=$number
        return
    done < "$work/steps"
}
[ "$(wc -l < "$work/steps")" = 5 ] || die "the workflow has other steps: $(cat "$work/steps")"
run_steps
[ $failing = 0 ] || fail "step $failing of the workflow: $(sed -n ${failing}p "$work/steps")"
cd "$work/project" || exit 1
grep -q '<testcase name="sum".*status="run"' tests.xml || fail "no test in tests.xml"
grep -q 'tests="2" failures="0"' gates.xml || fail "other gates: $(cat gates.xml)"
grep -q '"version": *"2.1.0"' check.sarif || fail "no SARIF"
grep -q '^### pass: gates: 2' "$work/summary" || fail "no summary"

# The gate and the check each stop what they are for.
cp sum.cu right.cu
sed -i 's/if (i < n) own += in\[i\];/if (i < n) own += (in[i] + in[(i * 17) % n]) \/ 2;/' sum.cu
run_steps
[ $failing = 4 ] || fail "a kernel that loads more passed, or failed in step $failing"
grep -q '^### FAIL' compare.md || fail "no verdict in Markdown"
grep -q '^| \*\*sum\*\* | .*| 12,500 | 112,500 | ' compare.md || fail "no row in Markdown: $(cat compare.md)"
grep -q '<failure message="gate failed: ' gates.xml || fail "no failure in JUnit's XML"
sed 's/if (i < n) own += in\[i\];/if (i <= n) own += i < n ? in[i] : 0 * in[i];/' right.cu > sum.cu
run_steps
[ $failing = 3 ] || fail "a kernel that reads past its array passed, or failed in step $failing"
grep -q '"level": *"error"' check.sarif || fail "no finding in SARIF"

# The same commands for GitLab; the summary is GitHub's.
"$here/steps.py" "$source/examples/ci/.gitlab-ci.yml" > "$work/gitlab" || fail "GitLab's file cannot be read"
head -n 4 "$work/steps" | while IFS= read -r step; do printf '%b\n' "$step"; done > "$work/github"
diff "$work/github" "$work/gitlab" > "$work/out" || fail "GitLab's steps differ"

# The action, with Softwarp in the PATH: nothing is installed.
"$here/steps.py" "$source/action.yml" | while IFS= read -r step; do
    PACKAGE='' COMMAND=check OPTIONS="--sarif '$work/action.sarif'" PROGRAM=./build/sum GITHUB_ACTION_PATH=/nonexistent \
        bash -e -o pipefail -c "$(printf %b "$step")" || true
done > "$work/out" 2>&1
[ -s "$work/action.sarif" ] || fail "the action ran nothing"
[ $failed = 0 ] && echo "ci: passed"
exit $failed
