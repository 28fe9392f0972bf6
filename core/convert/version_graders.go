package convert

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// graderTypes are the names of kinds in each version; "" if it has none.
var graderTypes = map[rubric.Kind]map[agentv.Version]string{
	rubric.LLMJudge:         {agentv.Seed: "llm_judge", agentv.V4: "llm-grader", agentv.Head: "llm-rubric"},
	rubric.CodeJudge:        {agentv.Seed: "code_judge", agentv.V4: "code-grader", agentv.Head: "script"},
	rubric.Composite:        {agentv.Seed: "composite", agentv.V4: "composite", agentv.Head: "assert-set"},
	rubric.AssertSet:        {agentv.Seed: "composite", agentv.V4: "composite", agentv.Head: "assert-set"},
	rubric.ToolTrajectory:   {agentv.Seed: "tool_trajectory", agentv.V4: "tool-trajectory", agentv.Head: "trajectory:tool-sequence"},
	rubric.FieldAccuracy:    {agentv.Seed: "field_accuracy", agentv.V4: "field-accuracy", agentv.Head: "field-accuracy"},
	rubric.Latency:          {agentv.Seed: "latency", agentv.V4: "latency", agentv.Head: "latency"},
	rubric.Cost:             {agentv.Seed: "cost", agentv.V4: "cost", agentv.Head: "cost"},
	rubric.TokenUsage:       {agentv.Seed: "token_usage", agentv.V4: "token-usage", agentv.Head: "token-usage"},
	rubric.ExecutionMetrics: {agentv.V4: "execution-metrics", agentv.Head: "execution-metrics"},
}

// sharedTypes are the assertions of promptfoo that AgentV has too.
var sharedTypes = []string{
	rubric.Contains, rubric.ContainsAny, rubric.ContainsAll, rubric.IContains, rubric.IContainsAny, rubric.IContainsAll,
	rubric.StartsWith, rubric.Regex, rubric.IsJSON, rubric.Equals, "llm-rubric", "javascript", "python", "assert-set",
}

// graders returns the entries of graders, in order. Those without a counterpart are losses.
func (w *versionWriter) graders(c *rubric.Case, list []*rubric.Grader) (all []mapping) {
	for _, g := range list {
		all = append(all, w.grader(c, g)...)
	}
	return all
}

// grader returns the entries of a grader: one, several in a version that splits it, or none.
func (w *versionWriter) grader(c *rubric.Case, g *rubric.Grader) []mapping {
	if w.to == agentv.Seed && isNegated(g) {
		return w.leaveOut(c, "there is no `negate`", g)
	}
	if g.DialectData != nil && !slices.Contains(sharedTypes, g.Assert.Type) {
		return w.leaveOut(c, "there is no grader like it", g)
	}
	typ := graderTypes[g.Kind][w.to]
	var settings mapping
	switch g.Kind {
	case rubric.LLMJudge:
		settings = w.judge(c, g)
		if w.to == agentv.V4 && len(g.Criteria) > 0 && !w.inTurn {
			typ = "rubrics"
		}
	case rubric.CodeJudge:
		settings = w.program(c, g)
	case rubric.Composite, rubric.AssertSet:
		settings = w.composite(c, g)
		if settings == nil {
			return w.leaveOut(c, "no member has a counterpart", g)
		}
	case rubric.ToolTrajectory:
		if w.to == agentv.Head {
			return w.trajectorySteps(c, g)
		}
		if settings = w.trajectory(c, g); settings == nil {
			return w.leaveOut(c, "there is no mode `"+g.Steps.Mode+"`", g)
		}
	case rubric.FieldAccuracy:
		settings = fieldAccuracy(g)
	case rubric.Latency, rubric.Cost, rubric.TokenUsage, rubric.ExecutionMetrics:
		settings = limits(g)
	case rubric.Deterministic, rubric.TraceSteps, rubric.External:
		typ, settings = w.assertion(g)
	}
	if typ == "" {
		return w.leaveOut(c, "there is no grader like it", g)
	}
	nameKey := "name"
	if w.to == agentv.Head {
		nameKey = "metric"
	}
	return []mapping{append(append(mapping{{nameKey, g.Name}, {"type", typ}}, settings...), w.terms(c, g)...)}
}

func isNegated(g *rubric.Grader) bool { return g.Negate || g.Assert != nil && g.Assert.Inverse }

// leaveOut notes a grader that the version does not have.
func (w *versionWriter) leaveOut(c *rubric.Case, why string, g *rubric.Grader) []mapping {
	what := string(g.Kind)
	if g.Assert != nil {
		what = g.Assert.Type
	}
	w.addLoss(c.ID, "`%s` is left out: %s", what, why)
	return nil
}

// terms returns the weight and the gate of a grader.
func (w *versionWriter) terms(c *rubric.Case, g *rubric.Grader) (m mapping) {
	m.addIf(g.Weight != 1 && !w.inComposite, "weight", g.Weight)
	if w.to == agentv.Seed {
		if g.Required || g.MinScore != nil {
			w.addLoss(c.ID, "a grader cannot be a gate: `required` and `min_score` of graders are left out")
		}
		return m
	}
	m.addIf(isNegated(g), "negate", true)
	m.addIf(g.Required, "required", true)
	m.addNumber("min_score", g.MinScore)
	return m
}

// judge returns the settings of a judge: its rubric, its prompt or neither.
func (w *versionWriter) judge(c *rubric.Case, g *rubric.Grader) (m mapping) {
	if g.Judge != "" {
		switch w.to {
		case agentv.Seed:
			w.addLoss(c.ID, "graders name no judge: `%s` is left out", g.Judge)
		case agentv.Head:
			m = append(m, entry{"provider", g.Judge})
		default:
			m = append(m, entry{"target", g.Judge})
		}
	}
	m.addIf(g.Samples > 0, "samples", g.Samples)
	value := ""
	if g.Assert != nil && g.Assert.Value != nil {
		isText := false
		if value, isText = g.Assert.Value.(string); !isText {
			value = flowJSON(g.Assert.Value)
		}
	}
	switch criteria := g.Criteria; {
	case len(criteria) > 0:
		key := map[agentv.Version]string{agentv.Seed: "rubrics", agentv.V4: "criteria", agentv.Head: "value"}[w.to]
		if w.inTurn && w.to == agentv.V4 {
			key = "rubrics"
		}
		m = append(m, entry{key, w.criteria(c, criteria)})
		if g.Prompt != nil {
			w.addLoss(c.ID, "a prompt next to a rubric is left out")
		}
		return m
	case w.to == agentv.Head:
		value = cmp.Or(value, c.ExpectedOutcome)
		m.addIf(g.Prompt == nil || value != "", "value", cmp.Or(value, "Answers the user"))
	case value != "" && value != c.ExpectedOutcome && g.Prompt == nil && w.to == agentv.V4 && !grade.HasVariable(value):
		m = append(m, entry{"prompt", value})
	case value != "" && value != c.ExpectedOutcome && g.Prompt == nil:
		w.addLoss(c.ID, "the `value` of `%s` is left out: the judge grades by the goal of the case", g.Name)
	}
	if g.Prompt != nil {
		m = append(m, w.prompt(g.Prompt))
	}
	return m
}

// prompt returns the entry of a judge's own prompt.
func (w *versionWriter) prompt(p *rubric.Prompt) entry {
	if w.renamesVariables && p.Path != "" {
		w.addLoss("", "the files of prompts keep their variables: `{{ candidate_answer }}` of the oldest version is `{{ output }}` in later ones")
	}
	switch {
	case len(p.Script) > 0:
		program := mapping{{w.commandKey(), command(p.Script)}}
		program.addIf(len(p.Config) > 0, "config", p.Config)
		return entry{"prompt", program}
	case p.Path != "" && w.to == agentv.Seed:
		return entry{"prompt", p.Path}
	case p.Path != "" && (rubric.LooksLikeFile(p.Path) || strings.HasPrefix(p.Text, "file://")):
		return entry{"prompt", "file://" + p.Path}
	}
	return entry{"prompt", w.variables(p.Text)}
}

// templateNames are the variables of prompts: their names in the oldest version, each with that in later ones.
var templateNames = [][2]string{
	{"candidate_answer", "output"}, {"question", "input"}, {"expected_outcome", "criteria"}, {"reference_answer", "expected_output"},
}

// variables renames the variables of a prompt.
func (w *versionWriter) variables(text string) string {
	var pairs []string
	for _, names := range templateNames {
		from, to := names[0], names[1]
		if w.to == agentv.Seed {
			from, to = to, from
		}
		pairs = append(pairs, "{{ "+from+" }}", "{{ "+to+" }}", "{{"+from+"}}", "{{"+to+"}}")
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// criteria returns the entries of a rubric.
func (w *versionWriter) criteria(c *rubric.Case, list []*rubric.Criterion) (all []mapping) {
	textKey, minimumKey := "outcome", "min_score"
	if w.to == agentv.Seed {
		textKey, minimumKey = "expected_outcome", "required_min_score"
	}
	for i, criterion := range list {
		var m mapping
		m.addIf(!criterion.AutoID || criterion.ID != rubric.AutoID(i+1), "id", criterion.ID)
		m.addIf(criterion.Text != "", textKey, criterion.Text)
		if w.to == agentv.Seed && criterion.Operator == rubric.Contradiction {
			w.addLoss(c.ID, "there is no `operator`: the judge asks whether the answer states the text")
		}
		m.addIf(w.to != agentv.Seed && criterion.Operator != "", "operator", criterion.Operator)
		m.addIf(criterion.Weight != 1, "weight", criterion.Weight)
		minimum := criterion.MinScore
		switch {
		case criterion.Required == nil:
		case !criterion.HasBands() || w.to != agentv.Head:
			m = append(m, entry{"required", *criterion.Required})
		case *criterion.Required && minimum == nil:
			minimum = new(10.0)
		}
		if minimum != nil {
			m = append(m, w.minimum(c, minimumKey, *minimum)...)
		}
		if criterion.HasBands() {
			m = append(m, entry{"score_ranges", generic.Map(criterion.Bands, func(band rubric.Band) mapping {
				return mapping{{"score_range", []float64{band.Lo, band.Hi}}, {textKey, band.Text}}
			})})
		}
		all = append(all, m)
	}
	return all
}

// minimum returns the entry of the least score, 0 to 10. Judges give whole scores.
func (w *versionWriter) minimum(c *rubric.Case, key string, least float64) mapping {
	switch {
	case least > 10:
		w.addLoss(c.ID, "a minimum above 10 becomes 10")
		least = 10
	case least <= 0:
		return nil // never missed
	}
	if w.to == agentv.Seed {
		return mapping{{key, math.Ceil(least)}}
	}
	return mapping{{key, least / 10}}
}

func (w *versionWriter) commandKey() string {
	if w.to == agentv.Seed {
		return "script"
	}
	return "command"
}

// command returns the arguments of a program, or the line for the shell.
func command(argv []string) any {
	if len(argv) == 3 && argv[0] == "sh" && argv[1] == "-lc" {
		return argv[2]
	}
	return argv
}

// reservedKeys are keys of a grader that are not passed on to its program.
var reservedKeys = strings.Fields("name metric type weight required min_score negate command script cwd target provider")

func (w *versionWriter) program(c *rubric.Case, g *rubric.Grader) mapping {
	m := mapping{{w.commandKey(), command(g.Code.Argv)}}
	m.addIf(g.Code.Dir != "", "cwd", g.Code.Dir)
	if g.Code.MaxCalls != nil {
		key := "target"
		if w.to == agentv.Head {
			key = "provider"
		}
		m = append(m, entry{key, map[string]int{"max_calls": *g.Code.MaxCalls}})
	}
	switch {
	case len(g.Code.Config) == 0:
	case w.to == agentv.Head:
		m = append(m, entry{"config", g.Code.Config})
	default:
		for _, key := range slices.Sorted(maps.Keys(g.Code.Config)) {
			if slices.Contains(reservedKeys, key) {
				w.addLoss(c.ID, "`%s` is not passed on to the program: the key has a meaning of its own", key)
				continue
			}
			m = append(m, entry{key, g.Code.Config[key]})
		}
	}
	return m
}

// composite returns the settings of a grader made of others, or nil if none of them remains.
func (w *versionWriter) composite(c *rubric.Case, g *rubric.Grader) mapping {
	before := w.inComposite
	w.inComposite = w.to != agentv.Head
	var members []mapping
	weights := map[string]float64{}
	for _, member := range g.Members {
		weighted := *member
		weighted.Weight = g.MemberWeight(member)
		if written := w.grader(c, &weighted); len(written) > 0 {
			members = append(members, written...)
			if weighted.Weight != 1 {
				weights[member.Name] = weighted.Weight
			}
		}
	}
	w.inComposite = before
	if len(members) == 0 {
		return nil
	}
	if w.to == agentv.Head {
		m := mapping{{"assert", members}}
		if g.Combine == nil {
			m.addNumber("threshold", g.Threshold)
			return m
		}
		if g.Combine.Type != "weighted_average" {
			w.addLoss(c.ID, "a set has the weighted mean of its members: the aggregator `%s` is left out", g.Combine.Type)
		}
		return append(m, entry{"threshold", score.PassAt})
	}
	aggregator := mapping{{"type", "weighted_average"}}
	if combine := g.Combine; combine == nil {
		w.addLoss(c.ID, "a set passes from %v, whatever its `threshold`", score.PassAt)
	} else if combine.Type != "weighted_average" {
		aggregator = w.aggregator(c, combine)
	}
	aggregator.addIf(len(weights) > 0, "weights", weights)
	return mapping{{"aggregator", aggregator}, {gradersKeys[w.to], members}}
}

func (w *versionWriter) aggregator(c *rubric.Case, a *rubric.Aggregator) (m mapping) {
	typ := a.Type
	if w.to == agentv.V4 {
		typ = map[string]string{"code_judge": "code-grader", "llm_judge": "llm-grader"}[typ]
	}
	switch a.Type {
	case "code_judge":
		m = mapping{{"type", typ}, {"path", a.Path}}
		m.addIf(a.Dir != "", "cwd", a.Dir)
		return m
	case "llm_judge":
		m = mapping{{"type", typ}}
		m.addIf(a.Prompt != "", "prompt", a.Prompt)
		return m
	}
	if w.to == agentv.Seed {
		w.addLoss(c.ID, "there is no aggregator `threshold`: the mean of the members counts")
		return mapping{{"type", "weighted_average"}}
	}
	return mapping{{"type", "threshold"}, {"threshold", *a.Threshold}}
}

func fieldAccuracy(g *rubric.Grader) mapping {
	var fields []mapping
	for _, f := range g.Fields {
		m := mapping{{"path", f.Path}, {"match", f.Match}}
		m.addIf(!f.Required, "required", false)
		m.addIf(f.Weight != 1, "weight", f.Weight)
		m.addIf(f.Tolerance != 0, "tolerance", f.Tolerance)
		m.addIf(f.Relative, "relative", true)
		m.addIf(len(f.Formats) > 0, "formats", f.Formats)
		fields = append(fields, m)
	}
	m := mapping{{"fields", fields}}
	m.addIf(g.AllOrNothing, "aggregation", "all_or_nothing")
	return m
}

// limits returns the settings of a limit.
func limits(g *rubric.Grader) (m mapping) {
	l := g.Limits
	switch g.Kind {
	case rubric.Latency:
		m.addNumber("threshold", l.DurationMS)
	case rubric.Cost:
		m.addNumber("budget", l.CostUSD)
	case rubric.TokenUsage:
		m.addNumber("max_total", l.TotalTokens)
		m.addNumber("max_input", l.InputTokens)
		m.addNumber("max_output", l.OutputTokens)
	default:
		m.addNumber("max_tool_calls", l.ToolCalls)
		m.addNumber("max_llm_calls", l.LLMCalls)
		m.addNumber("max_tokens", l.TotalTokens)
		m.addNumber("max_cost_usd", l.CostUSD)
		m.addNumber("max_duration_ms", l.DurationMS)
		m.addNumber("target_exploration_ratio", l.ExplorationRatio)
		m.addIf(l.ExplorationRatio != nil, "exploration_tolerance", l.ExplorationSlack)
	}
	return m
}

// assertion returns the type and the settings of an assertion, or "" if the version has none like it.
func (w *versionWriter) assertion(g *rubric.Grader) (typ string, m mapping) {
	a := g.Assert
	switch {
	case w.to == agentv.Seed:
		return "", nil
	case g.Kind == rubric.External:
		isHeadOnly := slices.Contains([]string{"javascript", "python", "webhook", "similar"}, a.Type)
		if isHeadOnly && w.to != agentv.Head {
			return "", nil
		}
		m.addIf(a.Value != nil, "value", a.Value)
		m.addNumber("threshold", g.Threshold)
		for _, key := range slices.Sorted(maps.Keys(a.Config)) {
			m = append(m, entry{key, a.Config[key]})
		}
		return a.Type, m
	case g.Kind == rubric.TraceSteps:
		return w.traceSteps(a)
	}
	m.addIf(a.Value != nil, "value", a.Value)
	m.addIf(a.Flags != "", "flags", a.Flags)
	return a.Type, m
}
