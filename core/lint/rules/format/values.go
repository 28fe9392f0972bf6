package format

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/judge/provider"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "wrong-type",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		p.EachMismatch(conform.WrongType, func(m conform.Mismatch) {
			if isUnquotedPart(p, m.Node) || reportTemplate(p, m.Node, fieldLoss(m.Field)) {
				return // yaml-syntax reports it
			}
			d := p.Report(m.Span, "expected %s for %s, found %s%s", m.Type.Expectation(), mismatchSubject(m), lint.DescribeValue(m.Node), mismatchLoss(m))
			if d.Fixes = retypeFix(m); p.ADK != nil && d.Fixes == nil {
				d.Fixes = wrapFix(m)
			}
		})
	},
})

// retypeFix is the fix that gives a scalar the expected type, if its meaning is clear.
func retypeFix(m conform.Mismatch) []diag.Fix {
	n := m.Node
	if n.Kind != yaml.Scalar || n.Tagged {
		return nil
	}
	value, isText := n.Str()
	switch {
	case m.Type.Kind == schema.Text && !isText && n.Style == yaml.Plain:
		return fix.Replace(n, strconv.Quote(n.Value), "quote it, so that it is a text")
	case isText && allowsBool(m.Type):
		switch strings.ToLower(value) {
		case "yes", "on", "true":
			return fix.Replace(n, "true", "change to `true`")
		case "no", "off", "false":
			return fix.Replace(n, "false", "change to `false`")
		}
	case m.Type.Kind == schema.Number && isText && n.Style != yaml.Plain:
		if _, err := strconv.ParseFloat(value, 64); err == nil && json.Valid([]byte(value)) { // not `05` and `Infinity`
			return fix.Replace(n, value, "remove the quotes, so that it is a number")
		}
	}
	return nil
}

// allowsBool reports whether a value of the type may be a boolean.
func allowsBool(t *schema.Type) bool {
	return t.Kind == schema.Bool || t.Kind == schema.Union && slices.ContainsFunc(t.Choices, allowsBool)
}

// wrapFix is the fix that turns a text into the expected mapping, if that has one text field.
func wrapFix(m conform.Mismatch) []diag.Fix {
	value, isText := m.Node.Str()
	if !isText || m.Type.Kind != schema.Map || len(m.Type.Fields) != 1 || m.Type.Fields[0].Type.Kind != schema.Text {
		return nil
	}
	key := m.Type.Fields[0].Key
	return fix.Replace(m.Node, `{ "`+key+`": `+scalar.Quote(value)+" }", "put it under `"+key+"`")
}

// unquotedValues are the texts that only lack quotes, by their lines.
var unquotedValues = lint.PerPass(func(p *lint.Pass) map[int]text.Span {
	values := map[int]text.Span{}
	for _, problem := range p.Tree.Problems {
		if problem.Kind != yaml.SyntaxProblem {
			continue
		}
		if value, _, ok := fix.FindUnquoted(p.Source, problem.Span); ok {
			values[p.Source.OffsetLine(value.Start)] = value
		}
	}
	return values
})

// isUnquotedPart reports whether a node is the start of a text that lacks quotes. Quoting
// the text, as yaml-syntax offers, fixes the node too.
func isUnquotedPart(p *lint.Pass, n *yaml.Node) bool {
	value, ok := unquotedValues(p)[p.Source.OffsetLine(n.Span.Start)]
	return ok && value.Contains(n.Span)
}

// reportTemplate reports a mapping that was meant as a template, such as
// `input: {{ question }}`, and whether n is one.
func reportTemplate(p *lint.Pass, n *yaml.Node, loss string) bool {
	written := p.Source.Slice(n.Span)
	if !n.IsMap() || !strings.HasPrefix(written, "{{") || !strings.HasSuffix(written, "}}") || strings.Contains(written, "\n") {
		return false
	}
	p.Report(n.Span, "the braces make this template a mapping%s; quote it", loss).Fixes = fix.Quote(p.Source, n.Span)
	return true
}

var _ = lint.Register(pages, lint.Rule{
	ID:       "unknown-value",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		p.EachMismatch(conform.UnknownValue, func(m conform.Mismatch) {
			d := p.Report(m.Span, "unknown %s `%s`%s%s", mismatchSubject(m), writtenValue(m), fieldLoss(m.Field), valueSuggestion(m, m.Type.Values))
			d.Fixes = fix.ChangeTo(m.Node, m.Suggestion)
		})
		p.EachMismatch(conform.UnlistedValue, func(m conform.Mismatch) {
			if p.ADK != nil || hasPlugin(p, m) { // in ADK's files these are rubric types; unused-rubric reports them
				return
			}
			if value := m.Node.Text(); m.Key == lint.SchemaKey && lint.NamesSchema(value) {
				return // see user-schema
			}
			d := p.Report(m.Span, "%s `%s` is not known here%s", mismatchSubject(m), writtenValue(m), valueSuggestion(m, m.Type.KnownValues))
			if d.Severity = diag.Warning; m.Owner != nil && m.Owner.Tag == "type" {
				d.Severity = diag.Error // the grader is lost
			}
		})
		if p.Role == string(agentv.Settings) {
			for _, price := range p.Tree.Root().Get("prices").Entries() {
				if err := provider.CheckPriced(price.Key.Value); err != nil {
					p.Report(price.Key.Span, "%v", err)
				}
			}
		}
		if p.Role != string(agentv.Targets) {
			return
		}
		for _, target := range agentv.Definitions(p.Tree.Root()) {
			command := agentv.LookupSetting(target, "command", "command_template")
			if name := agentv.UnknownPlaceholder(command.Text()); name != "" {
				p.Report(command.Span, "there is no placeholder `%s`%s", name, spell.DidYouMeanOr(strings.Trim(name, "{}"), agentv.Placeholders, "expected "+diag.JoinList(agentv.Placeholders, "or")))
			}
		}
	},
})

// maxListed is the largest number of values that a message lists.
const maxListed = 12

func writtenValue(m conform.Mismatch) string {
	return lint.Abbreviate(m.Node.Text())
}

// valueSuggestion names the nearest allowed value, or all of them if they are few.
func valueSuggestion(m conform.Mismatch, values []schema.Value) string {
	if m.Suggestion != "" {
		return spell.Suggestion(m.Suggestion)
	}
	all := schema.Texts(values)
	if len(all) == 0 || len(all) > maxListed {
		return ""
	}
	return "; expected " + diag.JoinList(diag.Backtick(all), "or")
}

// hasPlugin reports whether an unknown grader type is a plugin in the project.
func hasPlugin(p *lint.Pass, m conform.Mismatch) bool {
	if p.ReadFile == nil || m.Field == nil || m.Field.Key != "type" || len(m.Type.KnownValues) == 0 {
		return false
	}
	return slices.ContainsFunc([]string{".ts", ".js", ".mts", ".mjs"}, func(ending string) bool {
		_, found := p.ReadFile(".agentv/assertions/" + writtenValue(m) + ending)
		return found
	})
}

var _ = lint.Register(pages, lint.Rule{
	ID:       "out-of-bounds",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		report := func(m conform.Mismatch) {
			if isScoreRange(m.Field) {
				return // see range-outside
			}
			d := p.Report(m.Span, "%s is %s; expected %s", mismatchSubject(m), lint.Abbreviate(m.Node.Follow().Value), m.Type.Expectation())
			d.Fixes = changeToAllowed(m)
			if p.ADK != nil && m.Type.IsInteger {
				d.Message += fieldLoss(m.Field) // ADK enforces bounds on counts only
			}
		}
		p.EachMismatch(conform.OutOfBounds, report)
		p.EachMismatch(conform.NotWhole, report)
		p.EachMismatch(conform.WrongLength, func(m conform.Mismatch) {
			p.Report(m.Span, "%s has %s; expected %s%s", mismatchSubject(m), countItems(len(m.Node.List())), describeLength(m), fieldLoss(m.Field))
		})
		if p.Role == string(agentv.Settings) {
			checkMinimums(p)
		}
	},
})

// checkMinimums reports minimums of a project that are no numbers from 0 to 1.
func checkMinimums(p *lint.Pass) {
	for _, o := range run.Options(run.Project) {
		n := p.Tree.Root().Get(o.Key())
		for _, item := range append(n.List(), n) {
			if text, isText := item.Str(); o.PerTag && isText && strings.TrimSpace(text) != "" {
				if err := o.Set(&run.Settings{}, "`"+o.Key()+"`", text); err != nil {
					p.Report(item.Span, "%v", err)
				}
			}
		}
	}
}

func countItems(n int) string {
	switch n {
	case 0:
		return "no items"
	case 1:
		return "1 item"
	}
	return fmt.Sprintf("%d items", n)
}

func describeLength(m conform.Mismatch) string {
	if m.Type.MinLength == m.Type.MaxLength {
		return countItems(m.Type.MinLength)
	}
	return "at least " + countItems(m.Type.MinLength)
}

// changeToAllowed is the fix that changes a number to one that its key allows: without its minus, a percentage as a share,
// or the nearest. There is none if the number must be more than its lowest bound.
func changeToAllowed(m conform.Mismatch) []diag.Fix {
	n := m.Node.Follow()
	number, ok := n.Number()
	if !ok || n != m.Node || math.IsNaN(number) {
		return nil
	}
	if m.Type.IsInteger {
		number = math.Round(number)
	}
	if m.Type.Min != nil && number < *m.Type.Min {
		number = max(-number, *m.Type.Min) // a minus is a likelier mistake than a number that is too small
	}
	if m.Type.Max != nil {
		if *m.Type.Max == 1 && !m.Type.IsInteger && 10 < number && number <= 100 { // 5 is rather one of 5
			number /= 100
		}
		number = min(number, *m.Type.Max)
	}
	if m.Type.ExcludesMin && number == *m.Type.Min || math.IsInf(number, 0) {
		return nil
	}
	return fix.ChangeToNumber(n, number)
}

var _ = lint.Register(pages, lint.Rule{
	ID:       "empty-value",
	Severity: diag.Warning,
	Highest:  diag.Error,
	Run: func(p *lint.Pass) {
		p.EachMismatch(conform.NoValue, func(m conform.Mismatch) {
			switch {
			case m.Key == "" && m.Field == nil:
				reportEmptyFile(p, m)
				return
			case isNullRubric(p, m):
				return // see empty-rubric
			}
			is := "has no value"
			if !m.Node.Span.Empty() {
				is = "is null"
			}
			d := p.Report(m.Span, "%s %s; expected %s", mismatchSubject(m), is, m.Type.Expectation())
			raiseSeverity(p, d, m)
			switch {
			case m.Node.Key == nil:
				d.Fixes = fix.RemoveItem(p.Source, m.Node, "remove the item")
			case m.Field == nil || !m.Field.Required:
				d.Fixes = fix.RemoveEntry(p.Source, m.Node, "remove the key")
			}
		})
		p.EachMismatch(conform.BlankText, func(m conform.Mismatch) {
			d := p.Report(m.Span, "%s is an empty text", mismatchSubject(m))
			raiseSeverity(p, d, m)
		})
	},
})

// reportEmptyFile reports a file that holds nothing but comments.
func reportEmptyFile(p *lint.Pass, m conform.Mismatch) {
	if p.Role == string(agentv.Settings) {
		return // it may have comments only, as `rubric init` writes it
	}
	if p.Role == "cases" { // a line of JSONL
		p.Report(m.Span, "%s is null; expected a mapping", mismatchSubject(m)).Severity = diag.Error
		return
	}
	d := p.Report(m.Span, "%s is empty", mismatchSubject(m))
	if p.Role == "eval" {
		d.Severity = diag.Error
		d.Message += "; the runner refuses the file"
	}
}

// raiseSeverity makes d an error if the runner drops something because of the empty value.
func raiseSeverity(p *lint.Pass, d *diag.Diagnostic, m conform.Mismatch) {
	if m.IsRefused || p.ADK == nil && m.Field != nil && m.Field.Required {
		d.Severity = diag.Error
		if m.Key != "" || p.ADK != nil { // AgentV drops an empty list item and nothing else
			d.Message += mismatchLoss(m)
		}
	}
}
