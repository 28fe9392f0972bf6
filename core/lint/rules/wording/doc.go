// Package wording has the rules about the texts of criteria. Those about English skip texts in other
// languages. It also splits a criterion that asks for two things.
package wording

import "embed"

//go:embed *.md
var pages embed.FS
