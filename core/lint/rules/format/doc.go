// Package format has the rules about the keys and values of a file: mismatches with the field table
// of its format, what the runner loses, and violations of a JSON Schema that the file names.
//
// The file mismatches.go has the words for a mismatch: its subject, the expected type and what the
// runner does.
package format

import "embed"

//go:embed *.md
var pages embed.FS
