#!/usr/bin/env bash
# versions.sh VERSION writes the version of a release into the files that have one. Before it publishes, release.yml checks
# that this changes nothing.
set -euo pipefail
cd "$(dirname "$0")/../.."
for package in editors/vscode wasm/npm; do # whose own version is in the first lines
  sed -i "1,10s/\"version\": \".*\"/\"version\": \"$1\"/" $package/package.json $package/package-lock.json
done
sed -i "s/^version = .*/version = \"$1\"/" editors/zed/extension.toml editors/zed/Cargo.toml
