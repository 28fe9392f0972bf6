#!/usr/bin/env bash
# helix.sh FOLDER runs the tests in the Helix in FOLDER, with `rubric` on PATH. It types
# keys in a terminal and reads the screen.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
helix=$(cd "$1" && pwd)
folder=$(mktemp -d)
terminal=rubric-helix-$$
trap 'tmux -L "$terminal" kill-server 2>/dev/null; rm -rf "$folder"' EXIT
mkdir -p "$folder/config/helix" "$folder/work"
cp "$here/faults.eval.yaml" "$folder/work/"
"$here/block.sh" Helix > "$folder/config/helix/languages.toml"
printf '[editor]\nend-of-line-diagnostics = "hint"\n' > "$folder/config/helix/config.toml"
passed=0 failed=0

keys() { tmux -L "$terminal" send-keys "$@"; }
screen() { tmux -L "$terminal" capture-pane -p; }
see() { # what it shows, words on the screen
  for _ in $(seq 1200); do
    if screen | grep -qF -- "$2"; then
      echo "ok - $1"
      passed=$((passed + 1))
      return
    fi
    read -rt 0.1 <> <(:) || true
  done
  echo "not ok - $1"
  screen
  failed=$((failed + 1))
}

gone() { # words, until they are no longer on the screen
  for _ in $(seq 1200); do
    screen | grep -qF -- "$1" || return 0
    read -rt 0.1 <> <(:) || true
  done
}

tmux -L "$terminal" -f /dev/null new-session -d -x 120 -y 30 -c "$folder/work" \
  "env PATH='$PATH' TERM=xterm-256color XDG_CONFIG_HOME=$folder/config XDG_CACHE_HOME=$folder/cache \
   HELIX_RUNTIME=$helix/usr/lib/hx/runtime $helix/run/hx faults.eval.yaml"
see 'the file is shown' 'evalcases:'
see 'the misspelt key is told' 'did you mean'
keys ':9' Enter
keys g s
keys Space k
see 'hover is shown' 'weight 1 (by default)'
keys Escape
gone 'weight 1 (by default)' # or the terminal takes Escape and Space for Alt+Space
keys Space a
see 'fixes are offered' 'change to'
keys Enter
see 'the fix changes the text' '        weight: 3'
keys ':w' Enter
see 'it is saved' 'written'
keys ':sh rubric run faults.eval.yaml || true' Enter
see 'the file is run' '1 pass, 0 fail'
keys Escape ':q!' Enter
echo "helix: $passed passed, $failed failed"
[ "$failed" = 0 ]
