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
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/promptfoo/nunjucks"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// Row is what the assertions of a row share: a test with one value for each variable, a prompt and
// a provider. All values are as in JSON, with float64 for numbers.
type Row struct {
	Vars       map[string]any `json:",omitempty"` // expanded, with files read
	Prompt     string         `json:",omitempty"` // as it is sent
	Options    map[string]any `json:",omitempty"` // the test's `options`, merged with the defaults
	Metadata   any            `json:",omitempty"` // the test's
	Output     any            `json:",omitempty"` // the test's `providerOutput`, if it is no text
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

// Lower returns the grader of an entry, with those of a set's entries. The caller sets names and spans, also of members.
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
	switch isFile := strings.HasPrefix(text, "file://"); {
	case !isText, isFile && a.typ.Group == Script:
		return value
	case isFile, strings.HasPrefix(text, "package:"):
		a.Invalid = fmt.Sprintf("its `value` `%s` is a program or a file that is not read here", text)
		return value
	}
	filled, err := nunjucks.Render(text, a.Row.Vars)
	if err != nil {
		a.Invalid = err.Error()
	}
	a.Invalid = cmp.Or(a.Invalid, LacksEnvironment(text, a.Row.Vars))
	return filled
}

var environmentName = pattern.New(`\{[{%][^{}]*\benv\.(\w+)`)

// LacksEnvironment returns why a template cannot be filled in, or "": promptfoo offers it all of the process's environment.
func LacksEnvironment(source string, vars map[string]any) string {
	env, _ := vars["env"].(map[string]any)
	for _, m := range environmentName().FindAllStringSubmatch(source, -1) {
		if _, found := env[m[1]]; !found {
			return "`env." + m[1] + "` is not in the file's `env`, and no other environment is read here"
		}
	}
	return ""
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

// providerNames are beginnings of providers' ids, and of a run's names for them. A run decides how to ask a model.
var providerNames = [][2]string{
	{"openai:responses:", "openai-responses:"}, {"openai:chat:", "openai:"}, {"openai:completion:", "openai:"},
	{"azure:chat:", "azure:"}, {"azure:completion:", "azure:"}, {"azureopenai:chat:", "azure:"}, {"azureopenai:completion:", "azure:"},
	{"anthropic:messages:", "anthropic:"}, {"anthropic:completion:", "anthropic:"},
	{"google:", "gemini:"}, {"ollama:chat:", "ollama:"}, {"ollama:completion:", "ollama:"},
}

// ProviderName returns a run's name for a provider: a model, a command, or the prompt itself. Others stay as they are.
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

// Details are what a grader adds to the named scores of its row. The keys are in alphabetical order,
// so that decoding into a map and encoding again gives the same line.
type Details struct {
	Metric  string             `json:"metric,omitempty"`
	Weights map[string]float64 `json:"named_score_weights,omitempty"` // of Scores; 1 if it is missing
	Scores  map[string]float64 `json:"named_scores,omitempty"`        // that its parts have
}

// orNil returns the details, or nil if they are empty.
func (d Details) orNil() any {
	if d.Metric == "" && len(d.Scores) == 0 {
		return nil
	}
	return d
}

// NewResult returns the result of an assertion. A score that is no number counts as 0.
func NewResult(pass bool, value float64, reason string, details Details) score.Result {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		value = 0
	}
	r := score.Result{Score: &value, Verdict: score.Fail, Gates: []score.Gate{}, Hits: []string{}, Misses: []string{}, Details: details.orNil()}
	if pass {
		r.Verdict, r.Hits = score.Pass, []string{reason}
	} else if reason != "" {
		r.Misses = []string{reason}
	}
	return r
}

// NamedScores returns the named scores of a row, which are weighted means of its graders' scores, or 0 without a weight.
func NamedScores(parts []score.WeightedResult) Details {
	named := Details{Scores: map[string]float64{}, Weights: map[string]float64{}}
	add := func(name string, value, weight float64) {
		named.Scores[name] += value * weight
		named.Weights[name] += weight
	}
	for _, p := range parts {
		d := DetailsOf(p.Result)
		if d.Metric != "" && p.Result.Score != nil {
			add(d.Metric, *p.Result.Score, p.Weight)
		}
		for name, value := range d.Scores {
			own, has := d.Weights[name]
			if !has {
				own = 1
			}
			if name != d.Metric {
				add(name, value, own*p.Weight)
			}
		}
	}
	for name, weight := range named.Weights {
		if named.Scores[name] /= weight; !(weight > 0) {
			named.Scores[name] = 0
		}
	}
	return named
}

// DetailsOf returns the details of a result, also of one in a record.
func DetailsOf(r score.Result) Details {
	d, isDetails := r.Details.(Details)
	if !isDetails && r.Details != nil {
		raw, _ := json.Marshal(r.Details)
		_ = json.Unmarshal(raw, &d) // details of others stay empty
	}
	return d
}

// ErrNotComputed is the error of a formula that mathjs may compute.
var ErrNotComputed = errors.New("this metric is not computed here")

// Derive adds derived metrics, in order, to the sums of a column's rows. One that has no value is 0. Those that are not
// computed here, and those that need them, are left out.
func Derive(sums map[string]float64, rows int, derived []rubric.DerivedMetric) {
	isOpen := false
	const count = "__count"
	sums[count] = float64(rows)
	defer delete(sums, count)
	for _, d := range derived {
		value, err := Evaluate(d.Formula, sums)
		if isOpen = isOpen || errors.Is(err, ErrNotComputed); err != nil && isOpen {
			continue
		}
		if err != nil {
			value = sums[d.Name]
		}
		sums[d.Name] = value
	}
}

// Evaluate computes what people write of mathjs: numbers, names, + - * / % ^, parentheses and functions.
func Evaluate(formula string, names map[string]float64) (float64, error) {
	t, err := nunjucks.Parse("{{ " + strings.ReplaceAll(formula, "^", "**") + " }}")
	if err != nil {
		return 0, ErrNotComputed
	}
	vars := map[string]any{}
	for _, name := range t.Names() {
		value, known := names[name]
		if !known && strings.Contains(formula, name+"(") {
			return 0, fmt.Errorf("%w: the function `%s` is not known", ErrNotComputed, name)
		}
		if !known {
			return 0, fmt.Errorf("there is no metric `%s`", name)
		}
		vars[name] = value
	}
	text, err := t.Render(vars)
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(text, 64)
}
