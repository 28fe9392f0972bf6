#!/usr/bin/env bash
# completions.sh FOLDER writes the completions of shells for rubric.
set -euo pipefail
out=$(realpath -m "$1")
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
go build -trimpath -o "$work/rubric" ./cmd/rubric
mkdir -p "$out"
for shell in bash zsh fish; do "$work/rubric" completion $shell > "$out/rubric.$shell"; done
"$work/rubric" completion powershell > "$out/rubric.ps1"
