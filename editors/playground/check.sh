#!/usr/bin/env bash
# Checks the playground, once `make programs` has built it: its types, and its tests in
# Chromium on the built page, served by the command line. It installs Chromium if it is
# missing, and fails if it cannot.
set -euo pipefail
cd "$(dirname "$0")"
../test/chromium.sh
npm run --silent types
npm test
