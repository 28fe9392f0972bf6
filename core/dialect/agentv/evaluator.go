package agentv

import (
	"math"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// settingsReader reads the settings of an evaluator of one type.
type settingsReader func(l *loader, g *rubric.Grader, n *yaml.Node) (keep bool, refused string)

// settingsReaderFor is the family of a type, nil if there is none. The grader that it is
// given has a name, a kind and a weight; keep false skips the evaluator, and
// refused, a kind of loss, takes its case with it.
func settingsReaderFor(name string) settingsReader {
	switch name {
	case "llm_judge":
		return (*loader).readLLMJudge
	case "rubric":
		return (*loader).readLegacyRubric
	case "code_judge":
		return (*loader).readCodeJudge
	case "composite":
		return (*loader).readComposite
	case "tool_trajectory":
		return (*loader).readTrajectory
	case "field_accuracy":
		return (*loader).readFieldAccuracy
	case "latency":
		return (*loader).readLatency
	case "cost":
		return (*loader).readCost
	case "token_usage":
		return (*loader).readTokenUsage
	case "execution_metrics":
		return (*loader).readExecutionMetrics
	}
	return nil
}

// graderKind is the kind of grader that a type names.
func graderKind(n *yaml.Node) (rubric.Kind, bool) {
	name, _ := n.Str()
	if settingsReaderFor(name) == nil {
		return "", false
	}
	if name == "rubric" { // an older name of an LLM judge with criteria
		return rubric.LLMJudge, true
	}
	return rubric.Kind(name), true
}

// readEvaluator reads one evaluator. It is nil when the loader skips it, and refused
// says that the loader gives up on its case, and why.
func (l *loader) readEvaluator(n *yaml.Node) (g *rubric.Grader, refused string) {
	name, _ := n.Get("name").Str()
	kind, known := graderKind(n.Get("type"))
	if name == "" || !known {
		l.addLoss(EvaluatorInvalid, rubric.Warns, n, missingKey(name))
		return nil, ""
	}
	g = &rubric.Grader{Name: name, Kind: kind, Weight: 1, Span: n.Span, SelectionSpan: n.Get("name").Span}
	if weight := n.Get("weight"); weight != nil {
		refused = readWeight(g, weight)
	}
	typ, _ := n.Get("type").Str()
	keep, settingsRefused := settingsReaderFor(typ)(l, g, n)
	if refused == "" {
		refused = settingsRefused
	}
	if !keep && refused == "" {
		return nil, ""
	}
	return g, refused
}

// ReadSettings reads the settings of a newer version's grader of a kind that all
// versions have: tool trajectory, as release 4 has it, field accuracy and the limits.
// Keep is false when the loader skips it, for which the last loss is the reason.
func ReadSettings(g *rubric.Grader, n *yaml.Node) (keep bool, lost []rubric.Loss) {
	l := &loader{stable: true}
	keep, _ = settingsReaderFor(string(g.Kind))(l, g, n)
	return keep, l.losses
}

func missingKey(name string) string {
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

// skipEvaluator remembers that an evaluator is left out.
func (l *loader) skipEvaluator(kind string, n *yaml.Node) (keep bool, refused string) {
	l.addLoss(kind, rubric.Warns, n, "")
	return false, ""
}

func (l *loader) readLLMJudge(g *rubric.Grader, n *yaml.Node) (keep bool, refused string) {
	if rubrics := n.Get("rubrics"); rubrics.IsSeq() {
		g.Criteria, refused = l.readEvaluatorCriteria(rubrics)
	} else if !rubrics.IsNull() {
		l.addLoss(RubricsNotList, rubric.Silent, rubrics, "")
	}
	prompt := n.Get("prompt")
	if len(g.Criteria) > 0 && !prompt.IsNull() {
		l.addLoss(PromptIgnored, rubric.Silent, prompt, "")
	}
	g.Prompt, g.Samples = readPrompt(prompt), ReadSamples(n)
	return true, refused
}

// readLegacyRubric is an LLM judge that has to have criteria.
func (l *loader) readLegacyRubric(g *rubric.Grader, n *yaml.Node) (keep bool, refused string) {
	if _, refused = l.readLLMJudge(g, n); len(g.Criteria) == 0 {
		return l.skipEvaluator(RubricsMissing, n)
	}
	return true, refused
}

// readPrompt reads a judge's own template: a text, which may be the path of a
// file, or a program that writes it.
func readPrompt(n *yaml.Node) *rubric.Prompt {
	if text, ok := n.Str(); ok {
		p := &rubric.Prompt{Text: text, Span: n.Span}
		if looksLikePath(text) {
			p.Path = text
		}
		return p
	}
	script := n.Get("script")
	if script == nil {
		return nil
	}
	argv, refused := readArgv(script)
	if refused != "" || len(argv) == 0 {
		return nil
	}
	config, _ := n.Get("config").Any().(map[string]any)
	return &rubric.Prompt{Script: argv, Config: config, Span: n.Span}
}

func looksLikePath(text string) bool {
	for _, r := range text {
		if r == '\n' || r == '{' {
			return false
		}
	}
	return text != ""
}
