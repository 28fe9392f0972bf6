package lint

import (
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = add(Rule{
	ID:       "colon-in-text",
	Summary:  "A text became a mapping because it holds a colon",
	Severity: diag.Error,
	Why: `
In YAML a colon and a space make a key of what stands before them. ~- Be polite: thank the user~ is no text but a
mapping, and the runner drops it from the rubric. Quote such a text.
`,
	Bad:  writingBefore + "      - ⟦Is polite to the end: thanks the user⟧\n",
	Good: writingBefore + "      - \"Is polite to the end: thanks the user\"\n",
	With: []string{"missing-key", "unknown-key"},
	Run: func(p *Pass) {
		p.mismatches(conform.UnknownKey, func(m conform.Mismatch) {
			n := m.Node.Follow()
			if len(n.Pairs) != 1 || n.Parent == nil || n.Parent.Kind != yaml.Sequence || !strings.Contains(m.Key, " ") {
				return
			}
			whole := p.Source.Slice(n.Span)
			if strings.ContainsAny(whole, "\n#") || n.Style == yaml.Flow {
				return
			}
			d := p.Report(n.Span, "the colon makes a mapping of this text; quote it")
			d.Fixes = []diag.Fix{{Title: "quote it", Safe: true, Edits: []text.Edit{{Span: n.Span, New: strconv.Quote(whole)}}}}
		})
	},
})
