#!/usr/bin/env bash
# setup.sh FOLDER installs the editors on Debian bookworm, and unpacks newer versions
# from later suites into FOLDER. It skips what is there already.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)

packages=(neovim vim-nox vim-ale emacs-nox elpa-eglot tmux patchelf)
missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  apt-get -q -o DPkg::Lock::Timeout=600 update
  DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 install -y --no-install-recommends "${missing[@]}"
fi

[ -x "$folder/nvim-0.10/run/nvim" ] || "$here/unpack.sh" trixie "$folder/nvim-0.10" neovim
[ -x "$folder/helix/run/hx" ] || "$here/unpack.sh" trixie "$folder/helix" hx
# Debian's testing suite moves on: this one may be missing.
[ -x "$folder/nvim-0.12/run/nvim" ] || "$here/unpack.sh" forky "$folder/nvim-0.12" neovim ||
  { rm -rf "$folder/nvim-0.12"; echo 'Neovim 0.12 is not available today'; }
