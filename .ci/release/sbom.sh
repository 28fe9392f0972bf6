#!/usr/bin/env bash
# sbom.sh PROGRAM OUT writes the modules of a program, which Go records in it, as CycloneDX JSON.
set -euo pipefail
go version -m -json "$1" | jq '{
  bomFormat: "CycloneDX", specVersion: "1.6", version: 1,
  metadata: { component: ({ type: "application", name: "rubric", version: $version } ) },
  components: ([{ Path: "std", Version: (.GoVersion | ltrimstr("go")) }] + (.Deps // []) | map({
    type: "library", name: .Path, version: .Version, purl: "pkg:golang/\(.Path)@\(.Version)"
  } + if .Sum then { properties: [{ name: "go:sum", value: .Sum }] } else {} end))
}' --arg version "${VERSION:-}" > "$2"
