package seed

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// settingsReader reads the settings of one type of evaluator into g, which already has a name,
// a kind and a weight. If keep is false, the loader skips the evaluator. A non-empty refused
// is the kind of loss that also refuses the case.
type settingsReader func(l *Loader, g *rubric.Grader, n *yaml.Node) (keep bool, refused string)

// settingsReaderFor returns the reader for a type, or nil if the type is unknown.
func settingsReaderFor(name string) settingsReader {
	switch name {
	case "llm_judge":
		return (*Loader).readLLMJudge
	case "rubric":
		return (*Loader).readLegacyRubric
	case "code_judge":
		return (*Loader).readCodeJudge
	case "composite":
		return (*Loader).readComposite
	case "tool_trajectory":
		return (*Loader).readTrajectory
	case "field_accuracy":
		return (*Loader).readFieldAccuracy
	case "latency", "cost", "token_usage", "execution_metrics":
		return (*Loader).readLimits
	}
	return nil
}

// graderKind returns the kind of grader for a type.
func graderKind(n *yaml.Node) (rubric.Kind, bool) {
	name := n.Text()
	if settingsReaderFor(name) == nil {
		return "", false
	}
	if name == "rubric" { // the older name for an LLM judge with criteria
		return rubric.LLMJudge, true
	}
	return rubric.Kind(name), true
}

// readEvaluator reads one evaluator. It returns nil if the loader skips the evaluator. A
// non-empty refused is the kind of loss for which the loader rejects the case.
func (l *Loader) readEvaluator(n *yaml.Node) (g *rubric.Grader, refused string) {
	name := n.Get("name").Text()
	kind, known := graderKind(n.Get("type"))
	if name == "" || !known {
		missing := "type"
		if name == "" {
			missing = "name"
		}
		l.Skip(agentv.EvaluatorInvalid, n, missing)
		return nil, ""
	}
	g = &rubric.Grader{Name: name, Kind: kind, Weight: 1, Span: n.Span, SelectionSpan: n.Get("name").Span}
	keep, refused := settingsReaderFor(n.Get("type").Text())(l, g, n)
	if !keep && refused == "" {
		return nil, ""
	}
	if n := n.Get("weight"); n != nil && refused == "" {
		var weight float64
		if weight, refused = ReadWeight(n); refused == "" {
			g.Weight, g.WeightSpan = weight, n.Span
		}
	}
	return g, refused
}

// ReadSettings reads the settings of a later version's grader whose kind exists in all versions:
// tool trajectory as in release 4, field accuracy and the limits. If keep is false, the
// Loader skips the grader and the last loss is the reason.
func (l *Loader) ReadSettings(g *rubric.Grader, n *yaml.Node) (keep bool) {
	l.stable = true
	keep, _ = settingsReaderFor(string(g.Kind))(l, g, n)
	return keep
}

// ReadWeight returns a grader's weight, or the kind of loss for which loaders refuse the case.
func ReadWeight(n *yaml.Node) (weight float64, refused string) {
	weight, ok := n.Number()
	switch {
	case !ok:
		return 0, agentv.WeightNotNumber
	case math.IsInf(weight, 0) || math.IsNaN(weight):
		return 0, agentv.WeightNotFinite
	case weight < 0:
		return 0, agentv.WeightNegative
	}
	return weight, ""
}

// skipEvaluator records the loss of an evaluator.
func (l *Loader) skipEvaluator(kind string, n *yaml.Node) (keep bool, refused string) {
	return l.Skip(kind, n, ""), ""
}

func (l *Loader) readLLMJudge(g *rubric.Grader, n *yaml.Node) (keep bool, refused string) {
	if rubrics := n.Get("rubrics"); rubrics.IsSeq() {
		g.Criteria, refused = l.readEvaluatorCriteria(rubrics)
	} else if !rubrics.IsNull() {
		l.AddLoss(agentv.RubricsNotList, rubric.Silent, rubrics, "")
	}
	prompt := n.Get("prompt")
	if len(g.Criteria) > 0 && !prompt.IsNull() {
		l.AddLoss(agentv.PromptIgnored, rubric.Silent, prompt, "")
	}
	g.Prompt, g.Samples = readPrompt(prompt), ReadSamples(n)
	return true, refused
}

// readLegacyRubric reads an LLM judge that must have criteria.
func (l *Loader) readLegacyRubric(g *rubric.Grader, n *yaml.Node) (keep bool, refused string) {
	if _, refused = l.readLLMJudge(g, n); len(g.Criteria) == 0 {
		return l.skipEvaluator(agentv.RubricsMissing, n)
	}
	return true, refused
}

// readPrompt reads a judge's own template: a string, which may be a file's path, or a program
// that writes the template.
func readPrompt(n *yaml.Node) *rubric.Prompt {
	if text, ok := n.Str(); ok {
		p := &rubric.Prompt{Text: text, Span: n.Span}
		if !strings.ContainsAny(text, "\n{") { // may be a path
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

// defaultMaxCalls is the number of model calls allowed to a code judge with `target: true`.
const defaultMaxCalls = 50

// codeJudgeKeys are the keys of a code judge that the runner knows. It passes all others to
// the program as config.
var codeJudgeKeys = []string{"name", "type", "script", "cwd", "weight", "target"}

func (l *Loader) readCodeJudge(g *rubric.Grader, n *yaml.Node) (keep bool, refused string) {
	argv, refused := readArgv(n.Get("script"))
	if refused != "" {
		return false, refused
	}
	if len(argv) == 0 {
		return l.skipEvaluator(agentv.ScriptMissing, n)
	}
	target := n.Get("target")
	if allowed, _ := target.Bool(); target != nil && !allowed && !target.IsMap() {
		l.AddLoss(agentv.TargetInvalid, rubric.Warns, target, "")
	}
	g.Code = &rubric.Code{Argv: argv, MaxCalls: MaxModelCalls(target), Dir: n.Get("cwd").Text()}
	for _, p := range n.Entries() {
		if key, ok := p.Key.Str(); ok && !slices.Contains(codeJudgeKeys, key) {
			if g.Code.Config == nil {
				g.Code.Config = map[string]any{}
			}
			g.Code.Config[key] = p.Value.Any()
		}
	}
	return true, ""
}

// readArgv returns a program's arguments. A string is a line for the shell.
func readArgv(n *yaml.Node) (argv []string, refused string) {
	if line, ok := n.Str(); ok && strings.TrimSpace(line) != "" {
		return []string{"sh", "-lc", strings.TrimSpace(line)}, ""
	}
	for _, item := range n.List() {
		arg, ok := item.Str()
		if !ok || strings.TrimSpace(arg) == "" {
			return nil, agentv.ScriptItem
		}
		argv = append(argv, arg)
	}
	if n != nil && len(argv) == 0 {
		refused = agentv.ScriptEmpty
	}
	return argv, refused
}

// MaxModelCalls returns the number of model calls that a grader's `target` allows; nil for none.
func MaxModelCalls(n *yaml.Node) *int {
	if allowed, _ := n.Bool(); !allowed && !n.IsMap() {
		return nil
	}
	if limit, ok := n.Get("max_calls").Number(); ok {
		return new(int(limit))
	}
	return new(defaultMaxCalls)
}

func (l *Loader) readComposite(g *rubric.Grader, n *yaml.Node) (keep bool, refused string) {
	members, aggregator := n.Get("evaluators"), n.Get("aggregator")
	switch {
	case !members.IsSeq():
		return l.skipEvaluator(agentv.MembersMissing, n)
	case !aggregator.IsMap():
		return l.skipEvaluator(agentv.AggregatorMissing, n)
	}
	g.Combine = &rubric.Aggregator{Type: aggregator.Get("type").Text()}
	if !slices.Contains(aggregatorTypes, g.Combine.Type) {
		return l.skipEvaluator(agentv.AggregatorType, aggregator)
	}
	for _, item := range members.List() {
		member, memberRefused := l.readEvaluator(item)
		refused = cmp.Or(refused, memberRefused)
		if member == nil {
			continue
		}
		if len(member.Criteria) > 0 || member.Prompt != nil {
			l.AddLoss(agentv.MemberStripped, rubric.Silent, item, member.Name)
		}
		g.Members = append(g.Members, member)
	}
	if len(g.Members) == 0 && refused == "" {
		return l.skipEvaluator(agentv.NoMembers, n)
	}
	return l.readAggregator(g.Combine, aggregator), refused
}

// ReadMemberWeights returns the weights of a composite's members by name, or nil if there are none.
func ReadMemberWeights(n *yaml.Node) (weights map[string]float64) {
	for _, p := range n.Entries() {
		if weight, ok := p.Value.Number(); ok {
			if weights == nil {
				weights = map[string]float64{}
			}
			weights[p.Key.Value] = weight
		}
	}
	return weights
}

// aggregatorTypes are the ways to combine members.
var aggregatorTypes = []string{"weighted_average", "code_judge", "llm_judge"}

func (l *Loader) readAggregator(a *rubric.Aggregator, n *yaml.Node) (keep bool) {
	switch a.Type {
	case "weighted_average":
		a.Weights = ReadMemberWeights(n.Get("weights"))
	case "code_judge":
		if a.Path = n.Get("path").Text(); a.Path == "" {
			return l.Skip(agentv.AggregatorPath, n, "")
		}
		a.Dir = n.Get("cwd").Text()
	case "llm_judge":
		a.Prompt = n.Get("prompt").Text()
	}
	return true
}
