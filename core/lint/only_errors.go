package lint

import (
	"maps"

	"github.com/rubric-ls/rubric/core/diag"
)

// OnlyErrors are severities under which the same errors are found as under others,
// and little besides: rules that can find none are turned off.
func OnlyErrors(severities map[string]diag.Severity) map[string]diag.Severity {
	all := maps.Clone(severities)
	if all == nil {
		all = map[string]diag.Severity{}
	}
	for _, r := range All() {
		severity, changed := severities[r.ID]
		if changed && severity != diag.Error || !changed && r.Severity != diag.Error && !r.CanBeError {
			all[r.ID] = 0
		}
	}
	return all
}
