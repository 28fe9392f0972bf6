package evalset

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "conversation-form",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		if !p.HasADKRole(adk.EvalSet) {
			return
		}
		for _, c := range p.Evalset().Cases {
			turns, scenario := pairValue(c.Node.Pair("conversation")), pairValue(adk.LookupPair(c.Node, "conversation_scenario"))
			switch {
			case !turns.IsNull() && !scenario.IsNull():
				d := p.Report(scenario.Key.Key.Span, "a case has either a `conversation` or a `conversation_scenario`; the runner refuses the file")
				d.Notes = []diag.Note{{Span: turns.Key.Key.Span, Message: "the conversation is here"}}
				d.Fixes = append(fix.RemoveEntry(p.Source, scenario, "remove the scenario"), fix.RemoveEntry(p.Source, turns, "remove the conversation")...)
			case c.Conversation != nil && len(c.Conversation) == 0:
				d := p.Report(turns.Key.Key.Span, "this conversation has no turns; the runner measures nothing in the case")
				d.Severity = diag.Warning
			case turns.IsNull() && scenario.IsNull() && c.Node.IsMap() && !hasMisspeltForm(p, c.Node):
				p.Report(c.Node.FirstKeySpan(), "this case has neither a `conversation` nor a `conversation_scenario`; the runner refuses the file")
			}
		}
	},
})

func pairValue(p *yaml.Pair) *yaml.Node { return generic.OrZero(p).Value }

// hasMisspeltForm reports whether a key of the case may be a misspelling of one of the two.
func hasMisspeltForm(p *lint.Pass, n *yaml.Node) bool {
	return n.Recovered || slices.ContainsFunc(p.Mismatches, func(m conform.Mismatch) bool {
		return m.Node.Follow() == n.Follow() && m.Kind == conform.UnknownKey && strings.HasPrefix(m.Suggestion, "conversation")
	})
}

var _ = lint.Register(pages, lint.Rule{
	ID:          "no-config",
	Severity:    diag.Info,
	Highest:     diag.Warning,
	AlsoReports: []string{"no-config"},
	Run: func(p *lint.Pass) {
		if p.ADK == nil || !p.ADK.Role.HasCases() || p.ADK.IsChunk || !p.ADK.JSON {
			return
		}
		_, source, known := metricsConfig(p)
		if !known || source != nil {
			return
		}
		d := p.Report(p.Tree.Root().FirstKeySpan(), "there is no `%s` in this folder; the runner measures `tool_trajectory_avg_score` with threshold 1 and `response_match_score` with threshold 0.8", adk.ConfigName)
		if p.AllContents().HasRubrics {
			d.Severity = diag.Warning
			d.Message += " and ignores the rubrics"
		}
	},
})

var _ = lint.Register(pages, lint.Rule{
	ID:       "no-metrics",
	Severity: diag.Warning,
	Run: func(p *lint.Pass) {
		if !p.HasADKRole(adk.Config) {
			return
		}
		// A file with other keys may have misspelt this one; unknown-key reports that.
		at := p.Tree.Root()
		if len(at.Entries()) > 0 {
			at = at.Get("criteria")
		}
		if at.IsMap() && len(at.Entries()) == 0 && !at.Follow().Recovered {
			p.Report(at.Span, "there are no metrics; the runner measures nothing")
		}
	},
})

var _ = lint.Register(pages, lint.Rule{
	ID:       "not-json",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		switch {
		case p.ADK == nil:
			return
		case !p.ADK.JSON:
			if p.ADK.Role != adk.Config && !p.ADK.IsChunk {
				p.Report(p.Tree.Root().FirstKeySpan(), "this is YAML; ADK and `rubric run` read such a file only as JSON, from a name that ends in `.json`")
			}
			return
		}
		for _, e := range p.ADK.Excess {
			d := p.Report(e.Span, "%s is not JSON; the runner refuses the file", e.Kind)
			d.Severity, d.Fixes = diag.Warning, []diag.Fix{{Title: "remove it", Safe: true, Edits: []text.Edit{{Span: e.Span}}}}
			if e.Kind == adk.Comment {
				d.Fixes = fix.RemoveComment(p.Source, e.Span)
			}
		}
		if p.ADK.Fault != nil && p.ADK.Fragment() == nil {
			reportJSONFault(p, *p.ADK.Fault)
		}
		if at := p.ADK.MissingComma; at != nil {
			p.Report(*at, "a comma is missing after this; the runner refuses the file").Fixes = addComma(at.End)
		}
	},
})

// reportJSONFault reports the first place where the text is not JSON.
func reportJSONFault(p *lint.Pass, at text.Span) {
	plain := p.ADK.WithoutComments()
	before := strings.TrimRight(plain[:at.Start], " \t\r\n")
	here := p.Source.Slice(at)
	what, end := "text", len(strings.TrimRight(p.Source.Body, " \t\r\n"))
	if p.ADK.IsChunk {
		what, end = "case", len(strings.TrimRight(strings.TrimSuffix(plain, "]"), " \t\r\n"))
	}
	switch {
	case here == "'":
		p.Report(at, "JSON strings need double quotes; the runner refuses the file")
	case before == "":
		p.Report(at, "this is not JSON; the runner refuses the file")
	case strings.ContainsAny(here, "\"{[-0123456789tfn") && strings.ContainsAny(before[len(before)-1:], "\"}]0123456789el"):
		p.Report(at, "a comma is missing before this; the runner refuses the file").Fixes = addComma(len(before))
	case at.Start+1 >= end:
		p.Report(at, "the %s ends before all brackets and quotes are closed; the runner refuses the file", what)
	default:
		p.Report(at, "this is not JSON; the runner refuses the file")
	}
}

func addComma(offset int) []diag.Fix {
	return []diag.Fix{{Title: "add the comma", Safe: true, Edits: []text.Edit{{Span: text.Span{Start: offset, End: offset}, New: ","}}}}
}

var _ = lint.Register(pages, lint.Rule{
	ID:       "older-form",
	Severity: diag.Info,
	Highest:  diag.Error,
	Run: func(p *lint.Pass) {
		items := p.Tree.Root().List()
		switch {
		case len(items) == 0:
		case p.HasADKRole(adk.Turns) && !strings.HasSuffix(strings.ToLower(p.Path), ".test.json"):
			d := p.Report(items[0].FirstKeySpan(), "`adk eval` stops at a list of turns; only ADK's test runner reads one, from a `.test.json`")
			d.Severity = diag.Error
		case p.HasADKRole(adk.Turns, adk.Older):
			d := p.Report(items[0].FirstKeySpan(), "this is a format that ADK used before evalsets")
			d.Tags = []diag.Tag{diag.Deprecated}
		}
	},
})

var _ = lint.Register(pages, lint.Rule{
	ID:       "pasted-fragment",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		if p.ADK == nil {
			return
		}
		fragment := p.ADK.Fragment()
		if fragment == nil {
			return
		}
		whole, loss := "the configuration", "refuses the file"
		switch {
		case fragment.Role == adk.EvalSet:
			whole = "the evalset"
		case p.Tree.Root().IsMap():
			loss = "ignores them and measures nothing"
		}
		d := p.Report(p.Tree.Root().FirstKeySpan(), "there are only %s here, without %s around them; the runner %s", fragment.Noun, whole, loss)
		if len(fragment.Frames) == 1 {
			d.Severity = diag.Warning
			d.Message += ", and `rubric` reads it as if the fix were applied"
		}
		for _, frame := range fragment.Frames {
			d.Fixes = append(d.Fixes, diag.Fix{Title: frame.Title, Safe: len(fragment.Frames) == 1, Edits: p.ADK.Wrap(fragment, frame)})
		}
	},
})
