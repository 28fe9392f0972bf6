#!/usr/bin/env bash
# all.sh SERVER FOLDER SCHEMA: a session in every editor that setup.sh has put on
# the machine and into FOLDER. SERVER is the rubric program; every message of its
# is held against SCHEMA, the protocol's published types, and so are the editor's
# but for those that speak drafts of the protocol.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
server=$(realpath "$1") folder=$(realpath "$2") schema=$(realpath "$3")
editors=$(dirname "$here")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=()

# The server by its own name, with a tap before it.
mkdir -p "$work/bin"
cat > "$work/bin/rubric" <<END
#!/bin/sh
[ "\$1" = lsp ] || exec '$server' "\$@"
LSP_TAP_COMMAND='$server' exec node '$editors/tap/tap.mjs' "\$@"
END
chmod +x "$work/bin/rubric"
export PATH=$work/bin:$PATH

session() { # name, whose messages are held against the types, command
  local name=$1 whose=$2
  shift 2
  export LSP_TAP_LOGS=$work/$name
  mkdir "$LSP_TAP_LOGS"
  local status=0
  "$@" > "$work/$name.out" 2>&1 || status=$?
  node "$editors/tap/check.mjs" "$schema" "$LSP_TAP_LOGS" $whose >> "$work/$name.out" 2>&1 || status=1
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
  echo 'left out: Neovim 0.12, which is not to be had'
fi
session emacs both "$editors/recipes/test/emacs.sh"
session vim both "$editors/recipes/test/vim.sh"
session helix both "$editors/recipes/test/helix.sh" "$folder/helix"
echo "editors: $passed passed, ${#failed[@]} failed ${failed[*]-}"
[ ${#failed[@]} = 0 ]
