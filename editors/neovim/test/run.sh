#!/usr/bin/env bash
# run.sh SERVER [FOLDER] runs the tests in the installed Neovim, or in the one
# unpacked into FOLDER. SERVER is the rubric program.
set -euo pipefail
plugin=$(cd "$(dirname "$0")/.." && pwd)
nvim=nvim
if [ -n "${2-}" ]; then
  folder=$(cd "$2" && pwd)
  nvim=$folder/run/nvim
  export VIMRUNTIME=$folder/usr/share/nvim/runtime NVIM_PARSERS=$folder/usr/lib/nvim
fi
home=$(mktemp -d)
# A server that ends late may write while the folder is removed, which fails no test.
trap 'rm -rf "$home" || true' EXIT
export XDG_CONFIG_HOME=$home/config XDG_DATA_HOME=$home/data XDG_STATE_HOME=$home/state XDG_CACHE_HOME=$home/cache
export RUBRIC_PLUGIN=$plugin RUBRIC_CMD=$1
timeout 900 "$nvim" --headless -u "$plugin/test/init.lua" -c "luafile $plugin/test/session.lua"
