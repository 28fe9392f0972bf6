#!/usr/bin/env bash
# block.sh EDITOR prints the first code block below the editor's heading in the
# README, so that the tests use the documented configuration.
awk -v heading="## $1" '
  $0 == heading { below = 1; next }
  below && /^```/ { if (inside) exit; inside = 1; next }
  inside { print }
' "$(dirname "$0")/../README.md"
