#!/usr/bin/env bash
# emacs.sh runs the tests in Emacs, with `rubric` on PATH.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
# A server that ends late may write while the folder is removed, which fails no test.
trap 'rm -rf "$folder" || true' EXIT
cp "$here/faults.eval.yaml" "$folder/"
"$here/block.sh" Emacs > "$folder/recipe.el"
HOME=$folder RECIPE=$folder/recipe.el EVAL=$folder/faults.eval.yaml timeout 900 emacs --batch -Q -l "$here/emacs.el"
