#!/usr/bin/env bash
# vim.sh runs the tests in Vim with ALE, with `rubric` on PATH.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
# A server that ends late may write while the folder is removed, which fails no test.
trap 'rm -rf "$folder" || true' EXIT
cp "$here/faults.eval.yaml" "$folder/"
"$here/block.sh" Vim > "$folder/recipe.vim"
status=0
# The 1 selects the first fix in the menu.
RECIPE=$folder/recipe.vim EVAL=$folder/faults.eval.yaml RESULT=$folder/result \
  timeout 900 vim -N -u NONE -i NONE --not-a-term -es -S "$here/session.vim" <<<1 >/dev/null || status=$?
cat "$folder/result"
exit $status
