#!/usr/bin/env bash
# Installs the release RUBRIC_VERSION for this runner, after comparing its checksum, and adds it to
# GITHUB_PATH. RUBRIC_RELEASES replaces the address of the releases.
set -euo pipefail
releases=${RUBRIC_RELEASES:-https://github.com/rubric-ls/rubric/releases}
version=${RUBRIC_VERSION#v}
if [ "$version" = latest ]; then
  version=$(curl -fsSL --retry 3 -o /dev/null -w '%{url_effective}' "$releases/latest")
  version=${version##*/v}
fi
case $(uname -s) in Linux) os=linux ;; Darwin) os=darwin ;; *) os=windows ;; esac
case $(uname -m) in x86_64 | amd64) arch=amd64 ;; *) arch=arm64 ;; esac
archive=rubric_${version}_${os}_$arch.tar.gz
[ $os = windows ] && archive=${archive%.tar.gz}.zip

folder=${RUNNER_TEMP:?}/rubric-$version
mkdir -p "$folder" && cd "$folder"
curl -fsSL --retry 3 -O "$releases/download/v$version/$archive" -O "$releases/download/v$version/checksums.txt" ||
  { echo "::error::there is no rubric $version for $os on $arch at $releases"; exit 1; }
expected=$(awk -v file="$archive" '$2 == file { print $1 }' checksums.txt)
actual=$( (sha256sum "$archive" 2>/dev/null || shasum -a 256 "$archive") | cut -d' ' -f1)
[ -n "$expected" ] && [ "$expected" = "$actual" ] || { echo "::error::the checksum of $archive is wrong"; exit 1; }
if [ $os = windows ]; then unzip -qo "$archive"; else tar -xzf "$archive"; fi
echo "$folder" >> "$GITHUB_PATH"
"$folder/rubric" version
