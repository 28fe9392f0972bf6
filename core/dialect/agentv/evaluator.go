package agentv

import (
	"math"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// family reads the settings of an evaluator of one type.
type family func(l *losses, g *rubric.Grader, n *yaml.Node) (keep bool, refused string)

// familyOf is the family of a type, nil if there is none. The grader that it is
// given has a name, a kind and a weight; keep false skips the evaluator, and
// refused, a kind of loss, takes its case with it.
func familyOf(name string) family {
	switch name {
	case "llm_judge":
		return (*losses).llmJudge
	case "rubric":
		return (*losses).legacyRubric
	case "code_judge":
		return (*losses).codeJudge
	case "composite":
		return (*losses).composite
	case "tool_trajectory":
		return (*losses).trajectory
	case "field_accuracy":
		return (*losses).fieldAccuracy
	case "latency":
		return (*losses).latency
	case "cost":
		return (*losses).cost
	case "token_usage":
		return (*losses).tokenUsage
	case "execution_metrics":
		return (*losses).executionMetrics
	}
	return nil
}

// kindOf is the kind of grader that a type names.
func kindOf(n *yaml.Node) (rubric.Kind, bool) {
	name, _ := n.Str()
	if familyOf(name) == nil {
		return "", false
	}
	if name == "rubric" { // an older name of an LLM judge with criteria
		return rubric.LLMJudge, true
	}
	return rubric.Kind(name), true
}

// evaluator reads one evaluator. It is nil when the loader skips it, and refused
// says that the loader gives up on its case, and why.
func (l *losses) evaluator(n *yaml.Node) (g *rubric.Grader, refused string) {
	name, _ := n.Get("name").Str()
	kind, known := kindOf(n.Get("type"))
	if name == "" || !known {
		l.add(EvaluatorInvalid, rubric.Warns, n, lacking(name))
		return nil, ""
	}
	g = &rubric.Grader{Name: name, Kind: kind, Weight: 1, Span: n.Span, Head: n.Get("name").Span}
	if weight := n.Get("weight"); weight != nil {
		refused = readWeight(g, weight)
	}
	typ, _ := n.Get("type").Str()
	keep, inside := familyOf(typ)(l, g, n)
	if refused == "" {
		refused = inside
	}
	if !keep && refused == "" {
		return nil, ""
	}
	return g, refused
}

// Settings reads the settings of a newer version's grader of a kind that all
// versions have: tool trajectory, as release 4 has it, field accuracy and the limits.
// Keep is false when the loader skips it, for which the last loss is the reason.
func Settings(g *rubric.Grader, n *yaml.Node) (keep bool, lost []rubric.Loss) {
	l := &losses{stable: true}
	keep, _ = familyOf(string(g.Kind))(l, g, n)
	return keep, l.list
}

func lacking(name string) string {
	if name == "" {
		return "name"
	}
	return "type"
}

func readWeight(g *rubric.Grader, n *yaml.Node) (refused string) {
	weight, ok := n.Number()
	switch {
	case !ok:
		return WeightNotNumber
	case math.IsInf(weight, 0) || math.IsNaN(weight):
		return WeightNotFinite
	case weight < 0:
		return WeightNegative
	}
	g.Weight, g.WeightSpan = weight, n.Span
	return ""
}

// skip remembers that an evaluator is left out.
func (l *losses) skip(kind string, n *yaml.Node) (keep bool, refused string) {
	l.add(kind, rubric.Warns, n, "")
	return false, ""
}

func (l *losses) llmJudge(g *rubric.Grader, n *yaml.Node) (keep bool, refused string) {
	if rubrics := n.Get("rubrics"); rubrics.IsSeq() {
		g.Criteria, refused = l.evaluatorCriteria(rubrics)
	} else if !rubrics.IsNull() {
		l.add(RubricsNotList, rubric.Silent, rubrics, "")
	}
	prompt := n.Get("prompt")
	if len(g.Criteria) > 0 && !prompt.IsNull() {
		l.add(PromptIgnored, rubric.Silent, prompt, "")
	}
	g.Prompt, g.Samples = readPrompt(prompt), Samples(n)
	return true, refused
}

// legacyRubric is an LLM judge that has to have criteria.
func (l *losses) legacyRubric(g *rubric.Grader, n *yaml.Node) (keep bool, refused string) {
	if _, refused = l.llmJudge(g, n); len(g.Criteria) == 0 {
		return l.skip(RubricsMissing, n)
	}
	return true, refused
}

// readPrompt reads a judge's own template: a text, which may be the path of a
// file, or a program that writes it.
func readPrompt(n *yaml.Node) *rubric.Prompt {
	if text, ok := n.Str(); ok {
		p := &rubric.Prompt{Text: text, Span: n.Span}
		if couldBePath(text) {
			p.Path = text
		}
		return p
	}
	script := n.Get("script")
	if script == nil {
		return nil
	}
	argv, refused := readScript(script)
	if refused != "" || len(argv) == 0 {
		return nil
	}
	config, _ := n.Get("config").Any().(map[string]any)
	return &rubric.Prompt{Script: argv, Config: config, Span: n.Span}
}

func couldBePath(text string) bool {
	for _, r := range text {
		if r == '\n' || r == '{' {
			return false
		}
	}
	return text != ""
}
