#!/usr/bin/env bash
# unpack.sh SUITE FOLDER PACKAGE… unpacks packages of another Debian suite and their
# dependencies into FOLDER, without installing them. FOLDER/run/PROGRAM starts a program
# with its own libraries. The packages come from the machine's mirror, and apt checks
# their signatures.
set -euo pipefail
suite=$1
mkdir -p "$2/run"
folder=$(cd "$2" && pwd)
shift 2
state=$(mktemp -d)
trap 'rm -rf "$state"' EXIT
mkdir -p "$state/lists/partial" "$state/archives/partial"
: > "$state/status"

mirror=$(cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null |
  grep -v '^#' | grep -oE 'https?://[^ ]+/debian/?( |$)' | head -1 | tr -d ' ') || true
[ -n "$mirror" ] || { echo '/etc/apt names no Debian mirror' >&2; exit 1; }
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" > "$state/sources"

apt=(apt-get -q
  -o "Dir::Etc::sourcelist=$state/sources" -o Dir::Etc::sourceparts=-
  -o "Dir::State::lists=$state/lists" -o "Dir::State::status=$state/status"
  -o "Dir::Cache=$state" -o "Dir::Cache::archives=$state/archives"
  -o APT::Sandbox::User=root -o Acquire::Languages=none -o Acquire::Retries=3
  -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false)
"${apt[@]}" update
"${apt[@]}" -y --no-install-recommends --download-only install "$@"
for package in "$state"/archives/*.deb; do
  dpkg-deb -x "$package" "$folder"
done

# A program that starts itself again, as Neovim does, needs its loader by path.
libraries=$folder/usr/lib/x86_64-linux-gnu:$folder/lib/x86_64-linux-gnu
loader=$(find "$folder" -name ld-linux-x86-64.so.2 | head -1)
for program in "$folder"/usr/bin/*; do
  [ -f "$program" ] && head -c4 "$program" | grep -q ELF || continue
  patchelf --set-interpreter "$loader" --force-rpath --set-rpath "$libraries" "$program" 2>/dev/null || continue
  ln -sf "$program" "$folder/run/$(basename "$program")"
done
