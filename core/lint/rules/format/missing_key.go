package format

import (
	"cmp"
	"slices"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "missing-key",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		p.EachMismatch(conform.MissingKey, func(m conform.Mismatch) {
			if isMisspelt(p, m) || isTextWithColon(p, m) {
				return // see unknown-key, colon-in-text
			}
			name := "`" + m.Field.Key + "`"
			if m.Field.AliasType != nil { // people write the short names
				name = diag.JoinList(diag.Backtick(m.Field.Names()), "or")
			}
			d := p.Report(m.Span, "this %s has no %s%s", typeNoun(m.Owner), name, fieldLoss(m.Field))
			if p.HasADKRole(adk.Config) && m.Field.Key == "threshold" {
				d.Fixes = fix.AddEntry(p.Source, "add a threshold of 0.8", m.Node, "threshold", "0.8")
			}
		})
		p.EachMismatch(conform.MissingAnyOf, func(m conform.Mismatch) {
			if isUnquotedPart(p, m.Node) || slices.ContainsFunc(keyFaultsOf(p, m.Node).unknown, func(k conform.Mismatch) bool { return k.Kind == conform.OtherVersion || isTextWithColon(p, k) }) {
				return // see yaml-syntax, other-version, colon-in-text
			}
			if reportTemplate(p, m.Node, runnerLoss(m.Owner.OnMissingAll)) || slices.Contains(m.Owner.TagValues, "llm-rubric") && inheritsPrompt(p) {
				return
			}
			p.Report(m.Span, "this %s has neither %s%s", typeNoun(m.Owner), diag.JoinList(diag.Backtick(m.Owner.RequireAny), "nor"), runnerLoss(m.Owner.OnMissingAll))
		})
	},
})

// inheritsPrompt reports whether the file has a default prompt for rubrics.
func inheritsPrompt(p *lint.Pass) bool {
	around := p.Tree
	if p.Header != nil {
		around = p.Header
	}
	return !around.Root().Get("default_test").Get("options").Get("rubric_prompt").IsNull()
}

// isMisspelt reports whether a key of the mapping is a misspelling of the missing one.
func isMisspelt(p *lint.Pass, missing conform.Mismatch) bool {
	return slices.ContainsFunc(keyFaultsOf(p, missing.Node).unknown, func(m conform.Mismatch) bool {
		return slices.Contains(missing.Field.Names(), m.Suggestion)
	})
}

// keyFaults are the key mismatches of one mapping.
type keyFaults struct {
	missing []conform.Mismatch // MissingKey
	unknown []conform.Mismatch // UnknownKey and OtherVersion
}

// keyFaultsOf returns the key mismatches of a mapping.
func keyFaultsOf(p *lint.Pass, n *yaml.Node) *keyFaults {
	return cmp.Or(allKeyFaults(p)[n.Follow()], &keyFaults{})
}

var allKeyFaults = lint.PerPass(func(p *lint.Pass) map[*yaml.Node]*keyFaults {
	all := map[*yaml.Node]*keyFaults{}
	for _, m := range p.Mismatches {
		n := m.Node.Follow()
		if all[n] == nil {
			all[n] = &keyFaults{}
		}
		switch of := all[n]; m.Kind {
		case conform.MissingKey:
			of.missing = append(of.missing, m)
		case conform.UnknownKey, conform.OtherVersion:
			of.unknown = append(of.unknown, m)
		}
	}
	return all
})
