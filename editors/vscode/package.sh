#!/usr/bin/env bash
# package.sh: writes the extension into package/, for each platform with its server
# and for the web without, and looks into each. The same source gives the same files.
set -euo pipefail
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
version=$(node -p "require('./package.json').version")
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH CGO_ENABLED=0

npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
npm run --silent build
rm -rf bin package
mkdir package

package() { npx vsce package --no-dependencies --target "$1" --out "package/rubric-$1-$version.vsix" | tail -1; }

# The program needs no C library, so that of Linux is also that of Alpine.
for platform in linux/amd64:linux-x64,alpine-x64 linux/arm64:linux-arm64,alpine-arm64 linux/arm:linux-armhf \
  darwin/amd64:darwin-x64 darwin/arm64:darwin-arm64 windows/amd64:win32-x64 windows/arm64:win32-arm64; do
  IFS=/: read -r os arch targets <<< "$platform"
  program=bin/rubric
  [ "$os" = windows ] && program+=.exe
  (cd "$root" && GOOS=$os GOARCH=$arch GOARM=7 go build -trimpath -ldflags "-s -w -X github.com/rubric-ls/rubric/wasm/api.Version=$version" \
    -o "editors/vscode/$program" ./cmd/rubric)
  for target in ${targets//,/ }; do package "$target"; done
  rm -rf bin
done
package web
node packages.mjs
node audit.mjs
