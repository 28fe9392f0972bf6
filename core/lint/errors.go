package lint

import "github.com/rubric-ls/rubric/core/diag"

// OnlyErrors are severities under which the same errors are found as under others,
// and little besides: rules that can find none are turned off.
func OnlyErrors(severities map[string]diag.Severity) map[string]diag.Severity {
	return turnedOff(severities, func(r *Rule, severity diag.Severity, changed bool) bool {
		return severity != diag.Error && (changed || !r.Rises)
	})
}

// Nothing are severities under which nothing is found.
func Nothing() map[string]diag.Severity {
	return turnedOff(nil, func(*Rule, diag.Severity, bool) bool { return true })
}

func turnedOff(severities map[string]diag.Severity, which func(r *Rule, severity diag.Severity, changed bool) bool) map[string]diag.Severity {
	all := map[string]diag.Severity{}
	for _, r := range All() {
		severity, changed := severities[r.ID]
		if !changed {
			severity = r.Severity
		}
		switch {
		case which(r, severity, changed):
			all[r.ID] = 0
		case changed:
			all[r.ID] = severity
		}
	}
	return all
}
