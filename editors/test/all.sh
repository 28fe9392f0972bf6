#!/usr/bin/env bash
# all.sh SERVER FOLDER SCHEMA runs the tests in every editor that setup.sh has
# installed, on the machine and into FOLDER. It checks every message of SERVER
# against SCHEMA, the published types of LSP, and the messages of editors that do
# not use drafts of the protocol.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
server=$(realpath "$1") folder=$(realpath "$2") schema=$(realpath "$3")
editors=$(dirname "$here")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=()

# A program `rubric` that logs the messages of the real one.
mkdir -p "$work/bin"
cat > "$work/bin/rubric" <<END
#!/bin/sh
[ "\$1" = lsp ] || exec '$server' "\$@"
LSP_TAP_COMMAND='$server' exec node '$editors/tap/tap.mjs' "\$@"
END
chmod +x "$work/bin/rubric"
export PATH=$work/bin:$PATH

session() { # name, checked side, command
  local name=$1 side=$2
  shift 2
  export LSP_TAP_LOGS=$work/$name
  mkdir "$LSP_TAP_LOGS"
  local status=0
  "$@" > "$work/$name.out" 2>&1 || status=$?
  node "$editors/tap/check.mjs" "$schema" "$LSP_TAP_LOGS" $side >> "$work/$name.out" 2>&1 || status=1
  if [ $status = 0 ]; then
    passed=$((passed + 1))
    grep -aoE '(nvim|emacs|vim|helix)[^:]*: [0-9]+ passed, 0 failed' "$work/$name.out"
    tail -1 "$work/$name.out"
  else
    failed+=("$name")
    cat "$work/$name.out"
  fi
}

session nvim-0.7 server "$editors/neovim/test/run.sh" "$work/bin/rubric"
session nvim-0.10 server "$editors/neovim/test/run.sh" "$work/bin/rubric" "$folder/nvim-0.10"
if [ -x "$folder/nvim-0.12/run/nvim" ]; then
  session nvim-0.12 both "$editors/neovim/test/run.sh" "$work/bin/rubric" "$folder/nvim-0.12"
else
  echo 'left out: Neovim 0.12 is not available'
fi
session emacs both "$editors/recipes/test/emacs.sh"
session vim both "$editors/recipes/test/vim.sh"
session helix both "$editors/recipes/test/helix.sh" "$folder/helix"
echo "editors: $passed passed, ${#failed[@]} failed ${failed[*]-}"
[ ${#failed[@]} = 0 ]
