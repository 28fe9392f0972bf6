// Package evalset has the rules about ADK's evalsets and the configuration in their folder, which
// siblings.go reads.
package evalset

import "embed"

//go:embed *.md
var pages embed.FS
