#!/usr/bin/env bash
# What the playground must pass, on a bare machine with Go, Node and npm: its types,
# and its tests in Chromium on the built page, served by the command line. What is
# missing is installed; what cannot be had fails.
set -euo pipefail
cd "$(dirname "$0")"
../test/chromium.sh
npm run --silent types
(cd ../.. && go build -trimpath -o editors/playground/test/bin/rubric ./cmd/rubric)
npm test
