package conformance

import (
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
)

// TestValidatorNames holds the table of names against the validators: what one of them
// does not know or has no more, its version does not read.
func TestValidatorNames(t *testing.T) {
	checked := 0
	for _, c := range agentv.Concepts {
		for _, term := range c.Terms {
			for _, v := range []agentv.Version{agentv.Stable, agentv.Head} {
				body, path := "tests: []\n", term.Text
				switch term.Scope {
				case agentv.InFile:
					body = strings.ReplaceAll(body, term.Text+": []\n", "") + term.Text + ": []\n"
				case agentv.InCase:
					body, path = "tests: [{"+term.Text+": []}]\n", "tests[0]."+term.Text
				default:
					continue
				}
				checked++
				isUnread := func(f finding) bool {
					return f.Path == path && (strings.HasPrefix(f.Category, "unknown_field") || strings.HasSuffix(f.Category, "_removed"))
				}
				unread := slices.ContainsFunc(evalFindings(v, parse(body), surroundings{}), isUnread)
				if known := slices.Contains(agentv.VersionsReading(term.Text, term.Scope), v); known == unread {
					t.Errorf("%s of a %s is read in %s: %v, by its validator: %v", term.Text, term.Scope, v, known, !unread)
				}
			}
		}
	}
	if checked < 40 {
		t.Errorf("only %d names checked", checked)
	}
}

// TestValidatorTypeNames does the same for the types of graders. The newest validator
// takes an underscore for a hyphen, which its loader no longer does.
func TestValidatorTypeNames(t *testing.T) {
	for _, c := range agentv.Concepts {
		for _, term := range c.Terms {
			if term.Scope != agentv.InType {
				continue
			}
			for v, body := range map[agentv.Version]string{
				agentv.Stable: "tests: [{id: a, input: Q, assertions: [{type: '" + term.Text + "'}]}]\n",
				agentv.Head:   "tests: []\nassert: [{type: '" + term.Text + "'}]\n",
			} {
				refused := len(evalFindings(v, parse(body), surroundings{})) > 0
				lenient := v == agentv.Head && strings.Contains(term.Text, "_")
				if known := slices.Contains(agentv.VersionsReading(term.Text, term.Scope), v); known == refused && !lenient {
					t.Errorf("type %s is read in %s: %v, by its validator: %v", term.Text, v, known, !refused)
				}
			}
		}
	}
}
