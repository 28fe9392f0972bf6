#!/usr/bin/env bash
# notes.sh VERSION prints the section of a version in CHANGELOG.md, or of *Unreleased* for a pre-release.
set -euo pipefail
case $1 in *-*) heading=Unreleased ;; *) heading=$1 ;; esac
awk -v heading="$heading" '
  /^## / { title = $2; gsub(/[][]/, "", title); inside = title == heading; next }
  inside { print; if (NF) found = 1 }
  END { if (!found) { print "CHANGELOG.md has no section " heading > "/dev/stderr"; exit 1 } }' "$(dirname "$0")/../../CHANGELOG.md"
