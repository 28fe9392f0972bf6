package format

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/spell"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "unknown-key",
	Severity: diag.Warning,
	Highest:  diag.Error,
	Run: func(p *lint.Pass) {
		p.EachMismatch(conform.UnknownKey, func(m conform.Mismatch) {
			if isScoreMap(m.Owner) || isTextWithColon(p, m) {
				return // see range-outside, colon-in-text
			}
			d := p.Report(m.Span, "unknown key `%s`", lint.Abbreviate(m.Key))
			missing := missingKeyLoss(p, m)
			lost := p.ADK != nil && m.Suggestion != "" || losesSetting(p, m)
			if missing != "" || lost || m.IsRefused || p.ADK == nil && strings.HasPrefix(m.Owner.OnUnknownKey, "refuses") {
				d.Severity = diag.Error
			}
			if m.Suggestion == "" {
				d.Message += " in this " + typeNoun(m.Owner) + unknownKeyLoss(m.Owner)
				if owner := lowerOwner(p, m); owner != nil {
					d.Severity = diag.Error
					d.Message += "; it is a key of each " + typeNoun(owner)
				}
				return
			}
			if missing == "" && lost {
				missing = cmp.Or(keyLoss(m.Owner), runnerLoss("goes on without it"))
			}
			d.Message += missing + spell.Suggestion(m.Suggestion)
			d.Fixes = fix.RenameKey(m.Node, m.Span, m.Suggestion, spell.SameLetters(m.Key, m.Suggestion))
		})
	},
})

// missingKeyLoss describes what the runner does because a required key is misspelt.
func missingKeyLoss(p *lint.Pass, m conform.Mismatch) string {
	for _, missing := range keyFaultsOf(p, m.Node).missing {
		if slices.Contains(missing.Field.Names(), m.Suggestion) {
			return fieldLoss(missing.Field)
		}
	}
	return ""
}

// losesSetting reports whether an eval file says something about the question or the grading
// under a misspelt key, and nowhere else.
func losesSetting(p *lint.Pass, m conform.Mismatch) bool {
	if m.Suggestion == "" || !p.HasCases() {
		return false
	}
	field := m.Owner.Field(m.Suggestion)
	return field == nil || !field.Informational && !slices.ContainsFunc(field.Names(), func(name string) bool { return m.Node.Get(name) != nil })
}

// lowerOwner returns the type of the mappings one level below m's for which an unknown key was
// meant, or nil.
func lowerOwner(p *lint.Pass, m conform.Mismatch) (owner *schema.Type) {
	if !p.HasCases() {
		return nil
	}
	for _, f := range m.Owner.Fields {
		if f.Informational || f.RemovedIn != "" {
			continue
		}
		eachMapping(f.Type, func(t *schema.Type) {
			if f := t.Field(m.Key); owner == nil && f != nil && !f.Informational && f.RemovedIn == "" && t.Tag == "" {
				owner = t
			}
		})
	}
	return owner
}

// eachMapping visits the mapping types that a value of type t is or contains in a list.
func eachMapping(t *schema.Type, visit func(*schema.Type)) {
	switch {
	case t.Kind == schema.List:
		eachMapping(t.Items, visit)
	case len(t.Choices) > 0:
		for _, c := range t.Choices {
			eachMapping(c, visit)
		}
	case t.Kind == schema.Map:
		visit(t)
	}
}

// unknownKeyLoss describes what the runner does with an unknown key of a mapping.
func unknownKeyLoss(t *schema.Type) string { return runnerLoss(cmp.Or(t.OnUnknownKey, "ignores it")) }
