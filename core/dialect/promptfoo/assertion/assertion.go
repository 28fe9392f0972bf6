// Package assertion grades by the assertions of promptfoo, as promptfoo 0.121.20 does or, under the
// profile of the rules, as their authors meant them.
//
// [Lower] turns an entry of an `assert` list into a grader of the domain whose DialectData is an
// [Assertion]. Package grade leaves the grading to it. A case is a test with one value for each
// variable and one prompt. Its suite's targets are the providers, by [ProviderName]. Its input is the
// rendered prompt, its Answer what `providerOutput` says, and its Threshold the test's or, if that is
// no number, 0: then every assertion is a gate, and the score does not matter.
package assertion

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/promptfoo/nunjucks"
	"github.com/rubric-ls/rubric/core/rubric"
)

// Row is what the assertions of a row share: a test with one value for each variable, a prompt and
// a provider. All values are as in JSON, with float64 for numbers.
type Row struct {
	Vars       map[string]any `json:",omitempty"` // expanded, with files read
	Prompt     string         `json:",omitempty"` // as it is sent
	Options    map[string]any `json:",omitempty"` // the test's `options`, merged with the defaults
	Tools      any            `json:",omitempty"` // the provider's `config.tools`
	Functions  any            `json:",omitempty"` // the provider's `config.functions`
	Thresholds bool           `json:",omitempty"` // the test has a threshold, so that assertions are no gates
}

// Assertion is an entry of an `assert` list. Fields that are nil are not written.
type Assertion struct {
	Fields    map[string]any // as written
	Type      string         // without `not-`
	Inverse   bool           `json:",omitempty"`
	Value     any            `json:",omitempty"` // with its templates filled in
	Threshold any            `json:",omitempty"`
	Metric    string         `json:",omitempty"` // with its template filled in
	Unweighed bool           `json:",omitempty"` // `weight: 0`
	Invalid   string         `json:",omitempty"` // why promptfoo refuses it
	InSet     bool           `json:",omitempty"` // a member of a set
	Row       *Row

	typ *Type // without a name if Type is unknown
}

// Lower returns the grader of an entry, with the graders of its own entries if it is a set. The
// caller sets names and spans, also of members.
func Lower(fields map[string]any, row *Row) *rubric.Grader { return lower(fields, row, false) }

func lower(fields map[string]any, row *Row, inSet bool) *rubric.Grader {
	written, _ := fields["type"].(string)
	a := &Assertion{Fields: fields, Threshold: fields["threshold"], InSet: inSet, Row: row, typ: TypeOf(written)}
	a.Type, a.Inverse = strings.CutPrefix(written, "not-")
	a.Metric, _ = fields["metric"].(string)
	if text, err := nunjucks.Render(a.Metric, row.Vars); err == nil {
		a.Metric = text
	}
	a.Value = a.fill(fields["value"])
	if list, isList := a.Value.([]any); isList {
		list = slices.Clone(list)
		for i, item := range list {
			list[i] = a.fill(item)
		}
		a.Value = list
	}
	weight, isNumber := Number(fields["weight"])
	if !isNumber {
		weight = 1
	}
	a.Unweighed = weight == 0
	g := &rubric.Grader{
		Name: written, Kind: a.typ.Kind(), Weight: weight, DialectData: a,
		Assert:   &rubric.Assertion{Type: a.Type, Value: a.Value, Inverse: a.Inverse},
		Required: !inSet && !row.Thresholds && weight != 0,
	}
	if g.Kind == rubric.LLMJudge {
		g.Judge = a.judgeName()
	}
	if g.Kind != rubric.AssertSet {
		return g
	}
	if t, isNumber := a.Threshold.(float64); isNumber {
		g.Threshold = &t
	}
	members, isList := fields["assert"].([]any)
	if !isList {
		a.Invalid = "its `assert` is not a list"
	}
	for _, m := range members {
		if m, ok := m.(map[string]any); ok {
			g.Members = append(g.Members, lower(m, row, true))
		}
	}
	return g
}

// fill fills in a text with templates. Other values, and references to files, stay as they are.
func (a *Assertion) fill(value any) any {
	text, isText := value.(string)
	if !isText || strings.HasPrefix(text, "file://") || strings.HasPrefix(text, "package:") {
		return value
	}
	filled, err := nunjucks.Render(text, a.Row.Vars)
	if err != nil {
		a.Invalid = err.Error()
	}
	return filled
}

// judgeName returns the provider that the assertion or its test names as the judge, or "".
func (a *Assertion) judgeName() string {
	for _, provider := range []any{a.Fields["provider"], a.Row.Options["provider"]} {
		if fields, isMap := provider.(map[string]any); isMap {
			provider = cmp.Or(fields["text"], fields["id"])
		}
		if name, isText := provider.(string); isText && name != "" {
			return ProviderName(name)
		}
	}
	return ""
}

// LacksJudge reports whether the assertion asks a judge that neither it nor its test names.
func (a *Assertion) LacksJudge() bool {
	asks := a.typ.Group == Judge || a.typ.Group == Context || a.typ.Name == "select-best"
	return asks && a.Fields["provider"] == nil && a.Row.Options["provider"] == nil
}

// providerNames are the beginnings of providers' ids, and of the names by which a run finds them. It decides
// itself how to ask a model.
var providerNames = [][2]string{
	{"openai:responses:", "openai-responses:"}, {"openai:chat:", "openai:"}, {"openai:completion:", "openai:"},
	{"azure:chat:", "azure:"}, {"azure:completion:", "azure:"}, {"azureopenai:chat:", "azure:"}, {"azureopenai:completion:", "azure:"},
	{"anthropic:messages:", "anthropic:"}, {"anthropic:completion:", "anthropic:"},
	{"google:", "gemini:"}, {"ollama:chat:", "ollama:"}, {"ollama:completion:", "ollama:"},
}

// ProviderName returns the name by which a run finds a provider of promptfoo as a target or a judge: of
// a model, of a command, or of the prompt itself. Other names stay as they are.
func ProviderName(id string) string {
	if id == "echo" {
		return "echo:"
	}
	if command, isProgram := strings.CutPrefix(id, "exec:"); isProgram {
		return "cli:" + strings.TrimSpace(command) + " {PROMPT}"
	}
	for _, n := range providerNames {
		if model, found := strings.CutPrefix(id, n[0]); found {
			return n[1] + model
		}
	}
	return id
}
