// Package syntax has the rules about YAML itself, whatever the file holds, and about the comments
// that silence rules.
package syntax

import "embed"

//go:embed *.md
var pages embed.FS
