package lint

import (
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
)

var _ = register(Rule{
	ID:       "metric-lacks-input",
	Summary:  "A metric is asked for and has nothing to work with",
	Severity: diag.Warning,
	Why: `
Some metrics compare with an expected conversation, its answers or its tool calls; some judge by rubrics, of the criterion
or of the case; one judges a simulated user. Without what it needs a metric comes out as not evaluated, which fails
nobody, or with the same score whatever the agent does. An evalset is held against the ~test_config.json~ beside it, and
that against the evalsets beside it.
`,
	Bad: `
{
  "eval_set_id": "banking",
  "eval_cases": [
    {
      "eval_id": "balance",
      "conversation": [
        { ⟦"user_content"⟧: { "parts": [{ "text": "What is my balance?" }] } }
      ]
    },
    {
      "eval_id": "chat",
      ⟦"conversation_scenario"⟧: { "starting_prompt": "Hi", "conversation_plan": "Ask for the balance." }
    }
  ]
}
`,
	Good: `
{
  "eval_set_id": "banking",
  "eval_cases": [
    {
      "eval_id": "balance",
      "conversation": [
        { "user_content": { "parts": [{ "text": "What is my balance?" }] }, "final_response": { "parts": [{ "text": "It is 120." }] } }
      ]
    }
  ]
}
`,
	FileName:     "banking.evalset.json",
	SiblingFiles: map[string]string{adk.ConfigName: `{"criteria": {"response_match_score": 0.8}}`},
	Run: func(p *Pass) {
		config, source, known := p.metricsConfig()
		switch {
		case !known || source == nil:
		case p.hasADKRole(adk.Config):
			for _, c := range config.Criteria {
				p.checkCriterionInput(c, p.siblingEvalsets())
			}
		case p.hasADKRole(adk.Turns):
			p.checkTurnsMetrics(config)
		case p.hasADKRole(adk.EvalSet, adk.Older):
			for _, c := range p.evalset().Cases {
				p.checkCaseInput(c, config)
			}
			if c := config.Criterion(metric.ToolTrajectory); c != nil && !p.ADK.IsChunk {
				p.checkExpectedCalls(*c)
			}
		}
	},
})

// checkCriterionInput looks for what a criterion of a configuration needs in the evalsets
// beside it.
func (p *Pass) checkCriterionInput(c adk.Criterion, sets []siblingEvalset) {
	var all adk.Summary
	rubrics := len(c.Rubrics) > 0
	kind := adk.RubricTypeForMetric(c.Metric)
	for _, s := range sets {
		all.Turns, all.Scenarios = all.Turns+s.Turns, all.Scenarios+s.Scenarios
		all.HasAnswers, all.HasCalls = all.HasAnswers || s.HasAnswers, all.HasCalls || s.HasCalls
		rubrics = rubrics || len(s.Rubrics[kind]) > 0
	}
	siblings := "the evalsets beside this file"
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
		p.Report(c.Key.Span, "no turn in %s has an expected tool call; %s", siblings, trajectoryWithoutCalls(c))
	case comparesAnswers(c.Metric) && !all.HasAnswers:
		p.Report(c.Key.Span, "`%s` compares with an expected answer, and no turn in %s has a `final_response`", c.Metric, siblings)
	}
}

// checkExpectedCalls looks for tool calls to compare with in all of a file.
func (p *Pass) checkExpectedCalls(c adk.Criterion) {
	if there := p.contents(); !there.HasTurns || there.HasCalls {
		return
	}
	root := p.Tree.Root()
	at := firstKeySpan(root)
	if list := adk.LookupPair(root, adk.CasesKey); list != nil {
		at = list.Key.Span
	} else if items := root.List(); len(items) > 0 {
		at = firstKeySpan(items[0])
	}
	p.Report(at, "no turn of this file has an expected tool call; %s", trajectoryWithoutCalls(c))
}

// checkTurnsMetrics looks for metrics that ADK's test runner does not take with the oldest
// form of an evalset.
func (p *Pass) checkTurnsMetrics(config *adk.Settings) {
	var others []string
	for _, c := range config.Criteria {
		if !adk.SupportsTurnList(c.Metric) {
			others = append(others, c.Metric)
		}
	}
	if len(others) > 0 {
		p.Report(firstKeySpan(p.evalset().Cases[0].Turns[0]), "with a list of turns the runner breaks off at %s; in the form of an evalset it does not", joinMetrics(others))
	}
}

// trajectoryWithoutCalls is what the trajectory amounts to if no call is expected.
func trajectoryWithoutCalls(c adk.Criterion) string {
	if c.Match == metric.Exact {
		return "`" + c.Metric + "` is 1 for an agent that calls none"
	}
	return "`" + c.Metric + "` is 1 whatever the agent calls"
}

func comparesAnswers(name string) bool {
	return name == metric.ResponseMatch || name == metric.FinalResponseMatch
}

// checkCaseInput looks for what the criteria need in a case.
func (p *Pass) checkCaseInput(c adk.Case, config *adk.Settings) {
	var references, answers []string
	for _, k := range config.Criteria {
		if metric.NeedsReference(k.Metric) {
			references = append(references, k.Metric)
		}
		if comparesAnswers(k.Metric) {
			answers = append(answers, k.Metric)
		}
		if kind := adk.RubricTypeForMetric(k.Metric); kind != "" && len(k.Rubrics) == 0 && !hasRubricType(c.Rubrics, kind) {
			p.checkCaseRubrics(c, k.Metric, kind)
		}
	}
	if scenario := adk.LookupPair(c.Node, "conversation_scenario"); scenario != nil && c.Conversation == nil && len(references) > 0 {
		p.Report(scenario.Key.Span, "only a `conversation` can be compared with; the runner does not evaluate %s for this case", joinMetrics(references))
	}
	for i, turn := range c.Conversation {
		if text, _ := turn.Final.Text(); text == "" && len(answers) > 0 {
			p.Report(firstKeySpan(c.Turns[i]), "this turn has no expected answer for %s to compare with", joinMetrics(answers))
		}
	}
}

// checkCaseRubrics looks for turns without rubrics for a metric, where neither the
// configuration nor the case has any: a single one costs the case the metric.
func (p *Pass) checkCaseRubrics(c adk.Case, name, kind string) {
	var without []int
	for i, turn := range c.Conversation {
		if !hasRubricType(turn.Rubrics, kind) {
			without = append(without, i)
		}
	}
	if len(without) == len(c.Conversation) && c.Node.IsMap() {
		p.Report(firstKeySpan(c.Node), "this case has no rubrics for `%s`, nor has `%s`; the runner does not evaluate it here", name, adk.ConfigName)
		return
	}
	for _, i := range without {
		p.Report(firstKeySpan(c.Turns[i]), "this turn has no rubrics for `%s`, nor has its case or `%s`; the runner does not evaluate it for the case", name, adk.ConfigName)
	}
}

func hasRubricType(rubrics []metric.Rubric, kind string) bool {
	return slices.ContainsFunc(rubrics, func(r metric.Rubric) bool { return r.Type == kind })
}

func joinMetrics(names []string) string { return diag.JoinList(diag.Backtick(names), "and") }
