#!/usr/bin/env bash
# Tests the npm package: its types, and its tests in Node and in Chromium. It needs
# Node, npm and the built module, and installs Chromium if it is missing.
set -euo pipefail
cd "$(dirname "$0")"

if [ -z "${CHROMIUM:-}" ] && ! command -v chromium-headless-shell >/dev/null; then
  ../../editors/test/chromium.sh
fi
npm ci --no-audit --no-fund
npm run types
npm test
npm run browser
