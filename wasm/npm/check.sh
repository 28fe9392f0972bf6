#!/usr/bin/env bash
# What the npm package must pass, on a bare machine with Node and npm and with the
# module built: its types, and its tests in Node and in Chromium, which is installed
# where it is missing. Where it cannot be had, that fails.
set -euo pipefail
cd "$(dirname "$0")"

if [ -z "${CHROMIUM:-}" ] && ! command -v chromium >/dev/null; then
  ../../editors/test/chromium.sh
fi
npm ci --no-audit --no-fund
npm run types
npm test
npm run browser
