#!/usr/bin/env bash
# notices.sh FILE writes the licences of everything that a release contains: the Go modules of
# the programs on all platforms, Go's standard library, and the npm packages of the page.
# It fails if one has no licence file. `make site` has to have installed the npm packages.
set -euo pipefail
out=$(realpath -m "$1")
cd "$(dirname "$0")/../.."

notice() { # name folder
  local files
  files=$(find "$2" -maxdepth 1 -type f \( -iname 'licen[cs]e*' -o -iname 'copying*' -o -iname 'notice*' \) | LC_ALL=C sort)
  [ -n "$files" ] || { echo "notices.sh: $1 has no licence file in $2" >&2; exit 1; }
  printf '%s\n%s\n\n' "$1" "${1//?/=}"
  while IFS= read -r file; do tr -d '\r' < "$file"; printf '\n'; done <<< "$files"
  printf '\n'
}

modules() {
  for os in linux darwin windows; do
    GOOS=$os go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{"\t"}}{{.Dir}}{{end}}{{end}}' ./cmd/rubric ./cmd/rubric-queue
  done | LC_ALL=C sort -u
}

packages() {
  node -p '
    const installed = require("./editors/playground/package-lock.json").packages
    Object.entries(installed).filter(([path, p]) => path.startsWith("node_modules/") && !p.dev && !p.link)
      .map(([path, p]) => `${path.split("node_modules/").at(-1)} ${p.version}\teditors/playground/${path}`).sort().join("\n")'
}

{
  printf 'rubric contains the following software.\n\n'
  notice "Go standard library $(go env GOVERSION)" "$(go env GOROOT)"
  modules | while IFS=$'\t' read -r name folder; do notice "$name" "$folder"; done
  packages | while IFS=$'\t' read -r name folder; do notice "$name" "$folder"; done
} > "$out"
