// Package format has the rules about the keys and values of a file: mismatches with the field table
// of its format, what the runner loses, and violations of a JSON Schema that the file names.
//
// The file mismatches.go has the words for a mismatch: its subject, the expected type and what the
// runner does.
package format

import (
	"cmp"
	"embed"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/yaml"
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
			if m.Node.Get(m.Suggestion) != nil && lowerOwner(p, m) != nil {
				m.Suggestion = "" // that key is there, too: this one is a level too high
			}
			d := p.Report(m.Span, "unknown key `%s`", lint.Abbreviate(m.Key))
			missing := missingKeyLoss(p, m)
			lost := p.ADK != nil && m.Suggestion != "" || losesSetting(p, m)
			if missing != "" || lost || m.IsRefused || p.ADK == nil && strings.HasPrefix(m.Owner.OnUnknownKey, "refuses") {
				d.Severity = diag.Error
			}
			if m.Suggestion == "" {
				d.Message += " in this " + typeNoun(m.Owner) + runnerLoss(cmp.Or(m.Owner.OnUnknownKey, "ignores it"))
				if owner := lowerOwner(p, m); owner != nil {
					d.Severity = diag.Error
					d.Message += "; it is a key of each " + typeNoun(owner)
				} else if m.Upper != nil && p.HasCases() {
					d.Severity = diag.Error
					d.Message += "; it is a key of the " + typeNoun(m.Upper)
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
			if isUnquotedPart(p, m.Node) || slices.ContainsFunc(keyFaultsOf(p, m.Node).unknown, func(k conform.Mismatch) bool {
				return k.Kind == conform.OtherVersion || slices.Contains(m.Owner.RequireAny, k.Suggestion) || isTextWithColon(p, k)
			}) {
				return // see yaml-syntax, other-version, unknown-key, colon-in-text
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
	return !cmp.Or(p.Header, p.Tree).Root().Get("default_test").Get("options").Get("rubric_prompt").IsNull()
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

var _ = lint.Register(pages, lint.Rule{
	ID:       "two-names",
	Severity: diag.Warning,
	Highest:  diag.Error,
	Run: func(p *lint.Pass) {
		p.EachMismatch(conform.TwoNames, func(m conform.Mismatch) {
			winner := strings.Trim(p.Source.Slice(m.OtherSpan), `"'`)
			if m.IsRefused {
				d := p.Report(m.Span, "`%s` and `%s` are two names of one key; keep one%s", m.Key, winner, keyLoss(m.Owner))
				d.Notes = []diag.Note{{Span: m.OtherSpan, Message: "the other name is here"}}
				d.Fixes = fix.RemoveEntry(p.Source, p.NodeAt(m.Span), "remove `"+m.Key+"`")
				return
			}
			d := p.Report(m.Span, "`%s` is ignored: it is another name of `%s`, which is present too", m.Key, winner)
			d.Notes = []diag.Note{{Span: m.OtherSpan, Message: "the runner reads this one"}}
			d.Tags = []diag.Tag{diag.Unnecessary}
			d.Fixes = fix.RemoveEntry(p.Source, p.NodeAt(m.Span), "remove `"+m.Key+"`")
		})
	},
})

var _ = lint.Register(pages, lint.Rule{
	ID:       "older-name",
	Severity: diag.Warning,
	Run: func(p *lint.Pass) {
		p.EachMismatch(conform.DeprecatedName, func(m conform.Mismatch) {
			if m.Suggestion == "" {
				p.Report(m.Span, "`%s` is deprecated; the runner reads it for older files only", m.Key).Tags = []diag.Tag{diag.Deprecated}
				return
			}
			d := p.Report(m.Span, "`%s` is a deprecated name of `%s`; the runner reads it for older files only", m.Key, m.Suggestion)
			d.Fixes = fix.RenameKey(m.Node, m.Span, m.Suggestion, true)
			d.Tags = []diag.Tag{diag.Deprecated}
		})
	},
})

var _ = lint.Register(pages, lint.Rule{
	ID:       "retired-key",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		p.EachMismatch(conform.RemovedKey, func(m conform.Mismatch) {
			d := p.Report(m.Span, "`%s` is not read since %s", m.Key, m.Field.RemovedIn)
			d.Message += fieldLoss(m.Field)
			if strings.HasPrefix(m.Field.OnInvalid, "ignores") {
				d.Severity = diag.Warning
			}
			if m.Field.ReplacedBy != "" {
				d.Message += "; its name is `" + m.Field.ReplacedBy + "` now"
			}
			if m.Owner.Field(m.Field.ReplacedBy) != nil {
				d.Fixes = fix.RenameKey(m.Node, m.Span, m.Field.ReplacedBy, true)
			}
			d.Tags = []diag.Tag{diag.Deprecated}
		})
	},
})

var _ = lint.Register(pages, lint.Rule{
	ID:       "other-version",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		p.EachMismatch(conform.OtherVersion, func(m conform.Mismatch) {
			known := "an older version"
			if len(m.KnownVersions) > 0 {
				known = diag.JoinList(m.KnownVersions, "and")
			}
			d := p.Report(m.Span, "`%s` is the name in %s of AgentV; in this file's version it is `%s`%s", lint.Abbreviate(m.Key), known, m.Suggestion, movedPlaces[m.NewParent])
			if !m.IsMoved {
				d.Fixes = fix.RenameKey(m.Node, m.Span, m.Suggestion, true)
			}
		})
	},
})

// movedPlaces describe the new place of a moved key, by the name of its mapping.
var movedPlaces = map[string]string{
	"": "", "file": " at the top of the file", "execution": " under `execution`", "case": " in each case", "vars": " under `vars`",
}

//go:embed *.md
var pages embed.FS
