#!/usr/bin/env bash
# check.sh builds a release without publishing it (or with --built takes the one in dist), installs
# what this machine can install, each into a bare root, and runs the quickstart with it. It prints
# a table of sizes and times. --twice builds again and fails if a program or package differs.
# The last commit is released, from a clone of it. goreleaser is that on PATH, or is built, which takes minutes.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
maxBytes=32000000
goreleaser=github.com/goreleaser/goreleaser/v2@v2.15.1
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
export GOBIN=${RELEASE_TOOLS:-$HOME/.cache/rubric-release} TAP_TOKEN=none PATH=$PATH
PATH=$GOBIN:$PATH
rows=()
row() { rows+=("$(printf '%-34s %9s  %8s  %s' "$@")"); } # what, megabytes, installed in, remark
megabytes() { awk -v n="$(stat -c %s "$1")" 'BEGIN { printf "%.1f MB", n / 1e6 }'; }
seconds() { awk -v a="$1" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.2f s", b - a }'; }
fail() { echo "check.sh: $*" >&2; exit 1; }

build() {
  command -v goreleaser >/dev/null || CGO_ENABLED=0 go install "$goreleaser"
  local skip=()
  { docker info && docker buildx version; } >/dev/null 2>&1 || skip=(--skip=docker)
  rm -rf dist "$work/clone"
  git clone -q "$root" "$work/clone"
  (cd "$work/clone" && goreleaser check && goreleaser release --snapshot --clean "${skip[@]}" && node .ci/release/npm.mjs)
  mv "$work/clone/dist" dist
}

# works FOLDER COMMAND… runs an installed rubric: its version, the module in it, and the quickstart.
# FOLDER is the root that the command sees, or empty.
works() {
  local printed file=$1/quickstart.eval.yaml
  shift
  [ "$1" = chroot ] && file=/quickstart.eval.yaml
  printed=$("$@" version)
  [[ $printed == "rubric $version ("* ]] || fail "$1: version prints $printed, not $version"
  [ "$(echo '{"id":1,"method":"version"}' | "$@" call)" = "$(echo '{"id":1,"method":"version"}' | XDG_CACHE_HOME=$work "$@" call --wasm)" ] ||
    fail "$1: call and call --wasm differ"
  "$@" run "$file" > "$work/out" || fail "$1: the quickstart fails: $(cat "$work/out")"
}

case ${1:-} in --built) ;; *) build ;; esac
version=$(node -p 'require("./dist/metadata.json").version')
arch=$(go env GOARCH)

(cd dist && sha256sum --quiet --check checksums.txt) || fail "checksums.txt does not fit the files"
for program in dist/rubric_*/rubric*; do
  [ "$(stat -c %s "$program")" -le $maxBytes ] || fail "$program has more than $maxBytes bytes"
  row "${program#dist/}" "$(megabytes "$program")" "" "program"
done
for program in dist/rubric-queue_*/rubric-queue*; do row "${program#dist/}" "$(megabytes "$program")" "" "program"; done
for archive in dist/*.tar.gz dist/*.zip dist/*.deb dist/*.rpm dist/npm/*.tgz; do row "${archive#dist/}" "$(megabytes "$archive")" "" ""; done

start=$EPOCHREALTIME
mkdir "$work/tar" && tar -xzf "dist/rubric_${version}_linux_$arch.tar.gz" -C "$work/tar"
row "tar -xzf" "" "$(seconds "$start")" "installed"
for file in LICENSE README.md CHANGELOG.md THIRD_PARTY_NOTICES man/rubric-run.1 completions/rubric.{bash,zsh,fish,ps1}; do [ -s "$work/tar/$file" ] || fail "the archive has no $file"; done
cp testdata/quickstart/support.eval.yaml "$work/tar/quickstart.eval.yaml"
works "$work/tar" "$work/tar/rubric"
mkdir "$work/queue" && tar -xzf "dist/rubric-queue_${version}_linux_$arch.tar.gz" -C "$work/queue"
works "$work/tar" "$work/queue/rubric-queue"
[[ $("$work/queue/rubric-queue" worker "$work/tar/quickstart.eval.yaml" --queue nats://127.0.0.1:1 2>&1 || true) == *"the queue cannot be reached"* ]] || fail "rubric-queue has no client for queues"

# Manifests of other package managers name the archives by their checksums.
for manifest in dist/scoop/rubric.json dist/homebrew/Casks/rubric.rb $(find dist/winget -name '*.installer.yaml'); do
  [ -s "$manifest" ] || fail "there is no $manifest"
  hashes=$(grep -ioE '\b[0-9a-f]{64}\b' "$manifest" | tr A-F a-f)
  [ -n "$hashes" ] || fail "$manifest names no checksum"
  for hash in $hashes; do grep -q "^$hash " dist/checksums.txt || fail "$manifest names an unknown archive"; done
  row "${manifest#dist/}" "" "" "checksums fit"
done
[ "$(find dist -name '*.cdx.json' -size +1k | wc -l)" = 12 ] || fail "there is no SBOM for each program"

if [ "$(id -u)" = 0 ] && command -v dpkg >/dev/null; then
  start=$EPOCHREALTIME
  bare=$work/deb
  mkdir -p "$bare"/var/lib/dpkg/{info,updates} "$bare/tmp" && touch "$bare"/var/lib/dpkg/{status,available}
  dpkg --root="$bare" -i dist/*_"linux_$arch".deb >/dev/null
  row "dpkg -i" "" "$(seconds "$start")" "installed in a bare root"
  cp testdata/quickstart/support.eval.yaml "$bare/quickstart.eval.yaml"
  works "$bare" chroot "$bare" /usr/bin/rubric
  for file in man/man1/rubric-run.1 bash-completion/completions/rubric zsh/vendor-completions/_rubric fish/vendor_completions.d/rubric.fish; do
    [ -s "$bare/usr/share/$file" ] || fail "the Debian package has no $file"
  done
  dpkg --root="$bare" -r rubric >/dev/null
  [ ! -e "$bare/usr/bin/rubric" ] || fail "dpkg -r leaves the program"
else
  row "dpkg -i" "" "" "skipped: needs dpkg and root"
fi
if [ "$(id -u)" = 0 ] && command -v rpm >/dev/null; then
  start=$EPOCHREALTIME
  rpm --root "$work/rpm" --initdb
  rpm --root "$work/rpm" --nodeps -i dist/*_"linux_$arch".rpm
  row "rpm -i" "" "$(seconds "$start")" "installed in a bare root"
  cp testdata/quickstart/support.eval.yaml "$work/rpm/quickstart.eval.yaml"
  works "$work/rpm" chroot "$work/rpm" /usr/bin/rubric
else
  row "rpm -i" "" "" "skipped: needs rpm and root"
fi

start=$EPOCHREALTIME
platform=$(node -p 'process.platform + "-" + process.arch')
mkdir "$work/npm" && cd "$work/npm"
npm install --silent --offline --no-audit --no-fund "$root/dist/npm/rubric-ls-cli-$platform-$version.tgz" "$root/dist/npm/rubric-ls-cli-$version.tgz" "$root/dist/npm/rubric-ls-wasm-$version.tgz"
cd "$root"
row "npm install" "" "$(seconds "$start")" "installed from tarballs"
works "$work/tar" "$work/npm/node_modules/.bin/rubric"
code=0; "$work/npm/node_modules/.bin/rubric" check none 2>/dev/null || code=$?
[ $code = 2 ] || fail "npm: the exit status is $code, not 2"
(cd "$work/npm" && node --input-type=module -e '
  import { open } from "@rubric-ls/wasm";
  const rubric = await open();
  const { version } = await rubric.version();
  if (version !== process.argv[1]) throw new Error(`the evaluator is ${version}, not ${process.argv[1]}`);
  process.exit(0);' "$version")
rm -r "$work/npm/node_modules/@rubric-ls/cli-$platform"
[[ $("$work/npm/node_modules/.bin/rubric" version 2>&1 || true) == *"the package @rubric-ls/cli-$platform is not installed"* ]] || fail "npm: a missing platform package is not named"

# `go install` of a version, from a module proxy of files: this commit, and what this machine has of other modules.
module=$(go list -m)
proxy=$work/proxy/$module/@v
mkdir -p "$proxy"
echo v0.98.7 > "$proxy/list"
echo '{"Version":"v0.98.7"}' > "$proxy/v0.98.7.info"
git show HEAD:go.mod > "$proxy/v0.98.7.mod"
git archive --format=zip --prefix="$module@v0.98.7/" -o "$proxy/v0.98.7.zip" HEAD
go mod download
modules=$(go env GOMODCACHE)/cache/download
start=$EPOCHREALTIME
(cd "$work" && GOBIN=$work/go GOMODCACHE=$work/mod GOPROXY="file://$work/proxy,file://$modules" GONOSUMDB="*" GOFLAGS=-modcacherw CGO_ENABLED=0 \
  go install "$module/cmd/rubric@v0.98.7")
row "go install" "$(megabytes "$work/go/rubric")" "$(seconds "$start")" "from a local module proxy"
[[ $("$work/go/rubric" version) == "rubric 0.98.7 ("* ]] || fail "go install: $("$work/go/rubric" version)"
for command in playground "call --wasm"; do # shellcheck disable=SC2086
  [[ $("$work/go/rubric" $command </dev/null 2>&1 || true) == *"install a release from https://"* ]] || fail "go install: $command does not say where to get what is missing"
done

if [ "${1:-}" = --twice ]; then
  cp dist/checksums.txt "$work/first"
  (cd dist/npm && sha256sum ./*.tgz) > "$work/npm-first"
  build
  diff "$work/first" dist/checksums.txt || fail "two builds differ"
  (cd dist/npm && sha256sum ./*.tgz) | diff "$work/npm-first" - || fail "two builds of the npm packages differ"
  row "second build" "" "" "same bytes"
fi

printf '%s\n' "" "${rows[@]}"
