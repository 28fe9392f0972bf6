package lint

import (
	"cmp"
	"slices"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = add(Rule{
	ID:       "missing-key",
	Summary:  "A mapping lacks a key that it has to have",
	Severity: diag.Error,
	Why: `
Without it the runner skips the case, the evaluator or the criterion, often without a word, and the run looks as if
all were well. The message says what is lost.
`,
	Bad: `
evalcases:
  - ⟦id⟧: greeting
    input: Hello
`,
	Good: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
`,
	Run: func(p *Pass) {
		p.mismatches(conform.MissingKey, func(m conform.Mismatch) {
			if p.misspelt(m) || p.wasText(m) {
				return // see unknown-key, colon-in-text
			}
			name := "`" + m.Field.Key + "`"
			if m.Field.Short != nil { // the short names are what people write
				name = diag.Listed(diag.Ticked(m.Field.Names()), "or")
			}
			d := p.Report(m.Span, "this %s has no %s%s", noun(m.Owner), name, lostField(m.Field))
			if p.is(adk.Config) && m.Field.Key == "threshold" {
				d.Fixes = p.addition("add a threshold of 0.8", m.Node, "threshold", "0.8")
			}
		})
		p.mismatches(conform.NoneOf, func(m conform.Mismatch) {
			if p.half(m.Node) || slices.ContainsFunc(p.keysOf(m.Node).written, func(k conform.Mismatch) bool { return k.Kind == conform.OtherVersion || p.wasText(k) }) {
				return // see yaml-syntax, other-version, colon-in-text
			}
			if p.template(m.Node, lost(m.Owner.Lost)) || slices.Contains(m.Owner.Chosen, "llm-rubric") && p.inheritsPrompt() {
				return
			}
			p.Report(m.Span, "this %s has neither %s%s", noun(m.Owner), diag.Listed(diag.Ticked(m.Owner.Some), "nor"), lost(m.Owner.Lost))
		})
	},
})

// inheritsPrompt reports whether the file has a prompt for rubrics that have none.
func (p *Pass) inheritsPrompt() bool {
	around := p.Tree
	if p.Frame != nil {
		around = p.Frame
	}
	return !around.Root().Get("default_test").Get("options").Get("rubric_prompt").IsNull()
}

// misspelt reports whether the key that is missing stands there under a name
// that is near it.
func (p *Pass) misspelt(missing conform.Mismatch) bool {
	return slices.ContainsFunc(p.keysOf(missing.Node).written, func(m conform.Mismatch) bool {
		return slices.Contains(missing.Field.Names(), m.Near)
	})
}

// keyFaults is what is wrong with the keys of one mapping.
type keyFaults struct {
	missing []conform.Mismatch // MissingKey
	written []conform.Mismatch // UnknownKey and OtherVersion
}

// keysOf returns what is wrong with the keys of a mapping.
func (p *Pass) keysOf(n *yaml.Node) *keyFaults {
	if p.keys == nil {
		p.keys = map[*yaml.Node]*keyFaults{}
		for _, m := range p.Shape {
			n := m.Node.Follow()
			if p.keys[n] == nil {
				p.keys[n] = &keyFaults{}
			}
			switch of := p.keys[n]; m.Kind {
			case conform.MissingKey:
				of.missing = append(of.missing, m)
			case conform.UnknownKey, conform.OtherVersion:
				of.written = append(of.written, m)
			}
		}
	}
	return cmp.Or(p.keys[n.Follow()], &keyFaults{})
}
