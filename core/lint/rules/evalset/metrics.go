package evalset

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/spell"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "metric-lacks-input",
	Severity: diag.Warning,
	Run: func(p *lint.Pass) {
		if p.ADK == nil {
			return
		}
		config, source, known := metricsConfig(p)
		switch {
		case !known || source == nil:
		case p.HasADKRole(adk.Config):
			for _, c := range config.Criteria {
				checkCriterionInput(p, c, siblingEvalsets(p))
			}
		case p.HasADKRole(adk.Turns):
			checkTurnsMetrics(p, config)
		case p.HasADKRole(adk.EvalSet, adk.Older):
			for _, c := range p.Evalset().Cases {
				checkCaseInput(p, c, config)
			}
			if !p.ADK.IsChunk {
				checkAllCases(p, config)
			}
		}
	},
})

// checkCriterionInput checks that the evalsets in the folder have the input of a criterion.
func checkCriterionInput(p *lint.Pass, c adk.Criterion, sets []siblingEvalset) {
	var all adk.Summary
	rubrics := len(c.Rubrics) > 0
	kind := adk.RubricTypeForMetric(c.Metric)
	for _, s := range sets {
		all.Turns, all.Scenarios = all.Turns+s.Turns, all.Scenarios+s.Scenarios
		all.HasAnswers, all.HasCalls = all.HasAnswers || s.HasAnswers, all.HasCalls || s.HasCalls
		rubrics = rubrics || len(s.Rubrics[kind]) > 0
	}
	siblings := "the evalsets in this folder"
	if len(sets) == 1 {
		siblings = "`" + sets[0].name + "`"
	}
	switch {
	case kind != "" && !rubrics && len(sets) == 0:
		p.Report(c.Key.Span, "`%s` has no rubrics here; it is evaluated only where a case has rubrics of the type `%s`", c.Metric, kind)
	case kind != "" && !rubrics:
		p.Report(c.Key.Span, "`%s` has no rubrics, neither here nor of the type `%s` in %s; the runner does not evaluate it", c.Metric, kind, siblings)
	case len(sets) == 0:
	case c.Metric == metric.UserSimulator && all.Scenarios == 0:
		p.Report(c.Key.Span, "`%s` judges a simulated user, and no case in %s has a `conversation_scenario`", c.Metric, siblings)
	case metric.NeedsReference(c.Metric) && all.Turns == 0:
		p.Report(c.Key.Span, "`%s` compares with an expected conversation, and no case in %s has one", c.Metric, siblings)
	case c.Metric == metric.ToolTrajectory && !all.HasCalls:
		p.Report(c.Key.Span, "no turn in %s expects a tool call; %s", siblings, trajectoryWithoutCalls(c))
	case comparesAnswers(c.Metric) && !all.HasAnswers:
		p.Report(c.Key.Span, "`%s` compares with an expected answer, and no turn in %s has a `final_response`", c.Metric, siblings)
	}
}

// checkAllCases checks that some turn of the file expects a tool call, and that its cases have simulated users.
func checkAllCases(p *lint.Pass, config *adk.Settings) {
	root, there := p.Tree.Root(), p.AllContents()
	at := root.FirstKeySpan()
	if list := adk.LookupPair(root, adk.CasesKey); list != nil {
		at = list.Key.Span
	}
	if c := config.Criterion(metric.ToolTrajectory); c != nil && there.HasTurns && !there.HasCalls {
		p.Report(at, "no turn of this file expects a tool call; %s", trajectoryWithoutCalls(*c))
	}
	if there.Fixed > 0 && config.Criterion(metric.UserSimulator) != nil {
		p.Report(at, "`%s` judges a simulated user; the runner does not evaluate it for cases without a `conversation_scenario`: %d of %d here",
			metric.UserSimulator, there.Fixed, there.Fixed+there.Scenarios)
	}
}

// checkTurnsMetrics reports metrics that ADK's test runner does not support for a list of turns.
func checkTurnsMetrics(p *lint.Pass, config *adk.Settings) {
	var others []string
	for _, c := range config.Criteria {
		if !adk.SupportsTurnList(c.Metric) {
			others = append(others, c.Metric)
		}
	}
	if len(others) > 0 {
		p.Report(p.Evalset().Cases[0].Turns[0].FirstKeySpan(), "the runner stops at %s if the file is a list of turns; convert it to an evalset", joinMetrics(others))
	}
}

// trajectoryWithoutCalls describes the score of the trajectory metric if no call is expected.
func trajectoryWithoutCalls(c adk.Criterion) string {
	if c.Match == metric.Exact {
		return "`" + c.Metric + "` is 1 for an agent that makes no calls"
	}
	return "`" + c.Metric + "` is 1 whatever the agent calls"
}

func comparesAnswers(name string) bool {
	return name == metric.ResponseMatch || name == metric.FinalResponseMatch
}

// checkCaseInput checks that a case has the input of every criterion.
func checkCaseInput(p *lint.Pass, c adk.Case, config *adk.Settings) {
	var references, answers []string
	intermediate := false // texts are checked before the answer too
	for _, k := range config.Criteria {
		intermediate = intermediate || k.EachIntermediate
		if metric.NeedsReference(k.Metric) {
			references = append(references, k.Metric)
		}
		if comparesAnswers(k.Metric) {
			answers = append(answers, k.Metric)
		}
		if kind := adk.RubricTypeForMetric(k.Metric); kind != "" && len(k.Rubrics) == 0 && !hasRubricType(c.Rubrics, kind) {
			checkCaseRubrics(p, c, k.Metric, kind)
		}
	}
	if scenario := adk.LookupPair(c.Node, "conversation_scenario"); scenario != nil && c.Conversation == nil && len(references) > 0 {
		p.Report(scenario.Key.Span, "only a `conversation` can be compared with; the runner does not evaluate %s for this case", joinMetrics(references))
	}
	for i, turn := range c.Conversation {
		isMoved := func(call metric.ToolCall) bool { return call.Name == "" && call.Args["name"] != nil }
		if config.Criterion(metric.ToolTrajectory) != nil && slices.ContainsFunc(turn.Calls(), isMoved) {
			p.Report(c.Turns[i].FirstKeySpan(), "this turn expects a tool call whose `name` is among its `args`; no call of an agent matches it")
		}
		if text, _ := turn.Final.Text(); text == "" && len(answers) > 0 {
			p.Report(c.Turns[i].FirstKeySpan(), "this turn has no expected answer for %s to compare with", joinMetrics(answers))
		}
		if intermediate && len(turn.IntermediateResponses) > 0 {
			d := p.Report(c.Turns[i].FirstKeySpan(), "ADK's `%s` does not check the `intermediate_responses` of this turn, only texts in `invocation_events`; `rubric run` checks both", metric.Hallucinations)
			d.Severity = diag.Info
		}
	}
}

// checkCaseRubrics reports turns without rubrics for a metric if neither the configuration
// nor the case has any. One such turn is enough: ADK does not evaluate the metric for the case.
func checkCaseRubrics(p *lint.Pass, c adk.Case, name, kind string) {
	var without []int
	for i, turn := range c.Conversation {
		if !hasRubricType(turn.Rubrics, kind) {
			without = append(without, i)
		}
	}
	if len(without) == len(c.Conversation) && c.Node.IsMap() {
		p.Report(c.Node.FirstKeySpan(), "this case has no rubrics for `%s`, nor has `%s`; the runner does not evaluate it here", name, adk.ConfigName)
		return
	}
	for _, i := range without {
		p.Report(c.Turns[i].FirstKeySpan(), "this turn has no rubrics for `%s`, nor has its case or `%s`; the runner does not evaluate it for the case", name, adk.ConfigName)
	}
}

func hasRubricType(rubrics []metric.Rubric, kind string) bool {
	return slices.ContainsFunc(rubrics, func(r metric.Rubric) bool { return r.Type == kind })
}

func joinMetrics(names []string) string { return diag.JoinList(diag.Backtick(names), "and") }

var _ = lint.Register(pages, lint.Rule{
	ID:       "unknown-metric",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		if !p.HasADKRole(adk.Config) {
			return
		}
		settings, _, _ := metricsConfig(p)
		for _, c := range settings.Criteria {
			name := c.Key.Value
			switch {
			case adk.IsInformational(name):
				p.Report(c.Key.Span, "`%s` is a statistic without a threshold; the runner does not evaluate it as a criterion", name)
			case !settings.IsKnownMetric(name):
				names := slices.Concat(adk.MetricNames(), settings.CustomNames())
				near := spell.Nearest(name, names)
				if at := slices.IndexFunc(names, func(n string) bool { return strings.HasPrefix(n, name+"_") }); near == "" && at >= 0 {
					near = names[at]
				}
				hint := cmp.Or(spell.Suggestion(near), "; a metric of your own needs an entry under `custom_metrics`")
				d := p.Report(c.Key.Span, "unknown metric `%s`; the runner does not evaluate it%s", lint.Abbreviate(name), hint)
				d.Fixes = fix.RenameKey(c.Key.Parent, c.Key.Span, near, false)
			}
		}
	},
})

var _ = lint.Register(pages, lint.Rule{
	ID:       "simulator-instructions",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		if !p.HasADKRole(adk.Config) {
			return
		}
		config := adk.LookupPair(p.Tree.Root(), "user_simulator_config")
		if config == nil {
			return
		}
		entry := adk.LookupPair(config.Value, "custom_instructions")
		if entry == nil {
			return
		}
		instructions, isText := entry.Value.Str()
		if !isText {
			return
		}
		hasPersona := slices.ContainsFunc(siblingEvalsets(p), func(s siblingEvalset) bool { return s.HasPersona })
		missing, err := adk.MissingPlaceholders(instructions, hasPersona)
		switch {
		case err != nil:
			p.Report(entry.Value.Span, "`rubric run` leaves cases with a simulated user ungraded: %v", err).Severity = diag.Info
		case len(missing) > 0:
			p.Report(entry.Value.Span, "these instructions do not use %s; the runner refuses them and simulates no user", diag.JoinList(missing, "and"))
		}
	},
})
