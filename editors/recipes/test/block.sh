#!/usr/bin/env bash
# block.sh EDITOR: the first block of code below the editor's heading in the
# README, so that what is tested is what people are told.
awk -v heading="## $1" '
  $0 == heading { below = 1; next }
  below && /^```/ { if (inside) exit; inside = 1; next }
  inside { print }
' "$(dirname "$0")/../README.md"
