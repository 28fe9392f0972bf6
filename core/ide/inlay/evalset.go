package inlay

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/internal/facts"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
)

// adkHints returns the results of the last run for the rubrics and turns of an evalset.
func adkHints(p *analysis.Chunk, results ide.Results) (hints []Hint) {
	set, ok := facts.LowerEvalset(p)
	if !ok || len(results) == 0 || p.ADK.Role != adk.EvalSet {
		return nil
	}
	at, turn := -1, 0
	for _, list := range p.ADK.RubricLists() {
		if list.Case == nil {
			at, turn = at+1, 0
		} else {
			turn++
		}
		o, ran := results[set.Cases[at].ID]
		if !ran {
			continue
		}
		if turn > 0 {
			hints = append(hints, turnHints(p, set.Cases[at], turn-1, o)...)
		}
		for _, r := range list.Rubrics {
			if label, why := rubricLabel(o, set.Cases[at], turn, r.Rubric); label != "" && r.IDNode != nil {
				hints = append(hints, Hint{endWithComma(p.Source, r.IDNode.Span), label + facts.StaleSuffix(o.Stale), why, false})
			}
		}
	}
	return hints
}

// turnHints returns how many metrics a turn passed. The tooltip lists them.
func turnHints(p *analysis.Chunk, c adk.Case, turn int, o ide.Outcome) []Hint {
	measured, passed := 0, 0
	for _, m := range o.Metrics {
		if len(m.Invocations) != len(c.Turns) {
			continue
		}
		if measured++; m.Invocations[turn].Status == metric.Passed {
			passed++
		}
	}
	head := adk.LookupPair(c.Turns[turn], "invocation_id")
	if measured == 0 || head == nil {
		return nil
	}
	label := fmt.Sprintf("%d of %s passed%s", passed, diag.CountNoun(measured, "metric"), facts.StaleSuffix(o.Stale))
	why := strings.Join(facts.TurnMeasurements(ide.Results{c.ID: o}, c, turn), "\n\n")
	return []Hint{{endWithComma(p.Source, head.Value.Span), label, why, false}}
}

// rubricLabel returns the grade of a rubric in one turn, counted from 1, or in all turns if turn is
// 0, and the judge's rationale.
func rubricLabel(o ide.Outcome, c adk.Case, turn int, r metric.Rubric) (label, why string) {
	i := slices.IndexFunc(o.Metrics, func(m metric.Result) bool { return m.Metric == adk.MetricForRubricType(r.Type) })
	if i < 0 {
		return "", ""
	}
	turns := o.Metrics[i].Invocations
	if turn > 0 {
		if len(turns) != len(c.Turns) {
			return "", ""
		}
		turns = turns[turn-1 : turn]
	}
	yes, no := 0, 0
	for _, t := range turns {
		for _, s := range t.Rubrics {
			switch {
			case s.ID != r.ID || s.Score == nil:
			case *s.Score == 1:
				yes++
			default:
				no++
				why = s.Rationale
			}
		}
	}
	switch {
	case yes+no == 0:
		return "not judged", ""
	case no == 0:
		return "yes", ""
	case yes == 0:
		return "no", facts.EscapeMarkdown(why)
	}
	return fmt.Sprintf("yes in %d of %d turns", yes, yes+no), facts.EscapeMarkdown(why)
}

// endWithComma returns where a value ends on its first line, after a comma.
func endWithComma(src *text.Source, span text.Span) int {
	end := syntax.EndOnLine(src, span)
	if end < len(src.Body) && src.Body[end] == ',' {
		return end + 1
	}
	return end
}
