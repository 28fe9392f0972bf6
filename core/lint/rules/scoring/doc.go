// Package scoring has the rules about weights, gates and score ranges, and the verdicts that they
// allow. The file attainable.go finds the scores that a rubric can attain.
package scoring

import "embed"

//go:embed *.md
var pages embed.FS
