package assertion

import (
	"maps"
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
)

// Types returns the types that a version reads, sorted.
func Types(v agentv.Version) []string { return slices.Sorted(maps.Keys(keysFor(v).types)) }
