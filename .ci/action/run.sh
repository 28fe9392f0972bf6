#!/usr/bin/env bash
# Lints, runs and compares as action.yml describes. It prints annotations, and writes the files of the
# output `results`, the job's summary and the comment on the pull request.
set -uo pipefail
shopt -s globstar nullglob
results=${RUNNER_TEMP:?}/rubric-results
base=.rubric-base/results.jsonl
marker="<!-- rubric ${RUBRIC_JOB:-} -->" # jobs do not replace the comments of others
mkdir -p "$results"
echo "results=$results" >> "$GITHUB_OUTPUT"
status=0

# shellcheck disable=SC2206 # words and patterns of an input
paths=(${RUBRIC_PATHS:-.}) files=(${RUBRIC_RUN:-})
rubric check --format github "${paths[@]}" || status=$?
rubric check --format sarif "${paths[@]}" > "$results/rubric.sarif" 2>/dev/null
check=$status

{
  echo "$marker"
  echo '### rubric'
  echo
  jq -r '[.runs[].results[]?.level] | "Lint: \(map(select(. == "error")) | length) errors, \(map(select(. == "warning")) | length) warnings."' "$results/rubric.sarif" ||
    echo "Lint: \`rubric check\` exited with status $check."
} > "$results/summary.md"

if [ -n "${RUBRIC_RUN:-}" ] && [ ${#files[@]} = 0 ]; then
  echo "::error::no file matches $RUBRIC_RUN"
  status=2
elif [ ${#files[@]} -gt 0 ]; then
  options=()
  [ -z "${RUBRIC_TARGET:-}" ] || options+=(--target "$RUBRIC_TARGET")
  [ -z "${RUBRIC_JUDGE:-}" ] || options+=(--judge "$RUBRIC_JUDGE")
  while IFS= read -r option; do [ -z "$option" ] || options+=("$option"); done <<< "${RUBRIC_ARGS:-}"
  ran=0
  rubric run "${files[@]}" "${options[@]}" --out "$results/results.jsonl" --out "$results/run.md" --out "$results/junit.xml" --out "$results/report.html" || ran=$?
  if [ -s "$results/run.md" ]; then
    { echo; cat "$results/run.md"; } >> "$results/summary.md"
  else
    printf '\nThe run has no results: `rubric run` exited with status %s.\n' $ran >> "$results/summary.md"
  fi

  compared=0
  if [ -n "${GITHUB_BASE_REF:-}" ] && [ -s $base ] && [ -s "$results/results.jsonl" ]; then
    rubric runs compare $base "$results/results.jsonl" --format markdown > "$results/compare.md" 2> "$results/compare.err" || compared=$?
    if [ -s "$results/compare.md" ]; then
      { printf '\n#### Against `%s`\n\n' "$GITHUB_BASE_REF"; cat "$results/compare.md"; } >> "$results/summary.md"
    else
      printf '\nNot compared with `%s`: %s\n' "$GITHUB_BASE_REF" "$(tail -1 "$results/compare.err")" >> "$results/summary.md"
      compared=0
    fi
  elif [ -n "${GITHUB_BASE_REF:-}" ]; then
    printf '\nThere are no results of `%s` to compare with yet.\n' "$GITHUB_BASE_REF" >> "$results/summary.md"
  elif [ -s "$results/results.jsonl" ]; then
    mkdir -p .rubric-base && cp "$results/results.jsonl" $base
  fi
  case ${RUBRIC_FAIL_ON:-fail} in
    fail) [ $ran = 0 ] || status=$ran ;;
    regression) [ $ran = 2 ] && status=2; [ $compared = 0 ] || status=$compared ;;
    never) [ $ran = 2 ] && status=2 ;;
    *) echo "::error::fail-on must be fail, regression or never, not $RUBRIC_FAIL_ON"; status=2 ;;
  esac
fi

[ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$results/summary.md" >> "$GITHUB_STEP_SUMMARY"

# One comment, which later runs replace.
pull=$(jq -r '.pull_request.number // empty' "${GITHUB_EVENT_PATH:-/dev/null}" 2>/dev/null)
if [ "${RUBRIC_COMMENT:-true}" = true ] && [ -n "$pull" ]; then
  comments=repos/$GITHUB_REPOSITORY/issues
  found=$(gh api --paginate "$comments/$pull/comments" --jq ".[] | select(.body | startswith(\"$marker\")) | .id" | head -1)
  if [ -n "$found" ]; then
    gh api -X PATCH "$comments/comments/$found" -F "body=@$results/summary.md" > /dev/null
  else
    gh api -X POST "$comments/$pull/comments" -F "body=@$results/summary.md" > /dev/null
  fi || echo "::warning::the comment was not written; the token needs pull-requests: write, which pull requests from forks do not have"
fi
[ "$check" = 0 ] || status=$check
exit $status
