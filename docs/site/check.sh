#!/usr/bin/env bash
# Builds the documentation site and tests it in Chromium, which it installs if it is missing.
set -euo pipefail
cd "$(dirname "$0")"
../../editors/test/chromium.sh
npm ci --ignore-scripts --no-audit --no-fund
npm run --silent build
npm test
