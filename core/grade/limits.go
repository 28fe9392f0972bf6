package grade

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// explorationTools are the tools that read without changing anything, in lower case.
var explorationTools = map[string]bool{
	"read": true, "grep": true, "glob": true, "search": true, "list": true, "websearch": true, "webfetch": true,
}

// limitChecks compares usage with limits.
type limitChecks struct {
	hits, misses []string
	unknown      []string // limited but not measured
}

// compare compares usage with its limit. A nil limit is no limit.
func (l *limitChecks) compare(what, unit string, used, limit *float64) {
	switch {
	case limit == nil:
	case used == nil:
		l.unknown = append(l.unknown, what)
	case *used <= *limit:
		l.hits = append(l.hits, fmt.Sprintf("%s: %v%s of at most %v", what, *used, unit, *limit))
	default:
		l.misses = append(l.misses, fmt.Sprintf("%s: %v%s, more than %v", what, *used, unit, *limit))
	}
}

// outcome returns the share of limits that hold, or without shares 1 if all of them do and else 0.
func (l *limitChecks) outcome(t task, shares bool) Outcome {
	switch {
	case len(l.unknown) > 0:
		return Outcome{Result: t.missingData(diag.JoinList(l.unknown, "and") + " not known: " + t.submission.Origin.describeMissing())}
	case len(l.hits)+len(l.misses) == 0:
		return Outcome{Result: t.missingData("it sets no limit")}
	}
	value := float64(len(l.hits)) / float64(len(l.hits)+len(l.misses))
	if !shares {
		value = math.Floor(value)
	}
	return Outcome{Result: score.PlainResult(value, l.hits, l.misses, "")}
}

func (t task) limits() rubric.Limits { return generic.OrZero(t.grader.Limits) }

func (t task) trace() Trace { return generic.OrZero(t.submission.Trace) }

// gradeLimits compares duration, cost and tokens with their limits. Cached tokens count towards the
// total.
func gradeLimits(_ context.Context, t task) Outcome {
	var l limitChecks
	trace, limits := t.trace(), t.limits()
	l.compare("duration", " ms", trace.DurationMS, limits.DurationMS)
	l.compare("cost", " USD", trace.CostUSD, limits.CostUSD)
	var input, output, total *float64
	if used := trace.TokenUsage; used != nil {
		input, output, total = &used.Input, &used.Output, new(used.Input+used.Output+used.Cached)
	}
	l.compare("input tokens", "", input, limits.InputTokens)
	l.compare("output tokens", "", output, limits.OutputTokens)
	l.compare("total tokens", "", total, limits.TotalTokens)
	return l.outcome(t, false)
}

// gradeMetrics scores the share of limits that hold. By the rules a limit that cannot be checked
// leaves the grader ungraded; the reference counts it as exceeded. As in the reference, the token
// total excludes cached tokens.
func gradeMetrics(_ context.Context, t task) Outcome {
	var l limitChecks
	trace, limits := t.trace(), t.limits()
	counts, known := t.submission.countCalls()
	l.compare("tool calls", "", toolCallCount(counts, known, trace), limits.ToolCalls)
	var llmCalls, tokens *float64
	if trace.LLMCalls != nil {
		llmCalls = new(float64(*trace.LLMCalls))
	}
	l.compare("model calls", "", llmCalls, limits.LLMCalls)
	if used := trace.TokenUsage; used != nil {
		tokens = new(used.Input + used.Output)
	}
	l.compare("tokens", "", tokens, limits.TotalTokens)
	l.compare("cost", " USD", trace.CostUSD, limits.CostUSD)
	l.compare("duration", " ms", trace.DurationMS, limits.DurationMS)
	l.compareExploration(t.ports.Profile, counts, limits)
	if t.isReference() {
		for _, what := range l.unknown {
			l.misses = append(l.misses, what+": not known")
		}
		l.unknown = nil
	}
	return l.outcome(t, true)
}

func toolCallCount(counts map[string]int, known bool, trace Trace) *float64 {
	if trace.EventCount != nil {
		return new(float64(*trace.EventCount))
	}
	if !known {
		return nil
	}
	n := 0
	for _, c := range counts {
		n += c
	}
	return new(float64(n))
}

func (l *limitChecks) compareExploration(profile score.Profile, counts map[string]int, limits rubric.Limits) {
	if limits.ExplorationRatio == nil {
		return
	}
	explorations, all := 0, 0
	for tool, n := range counts {
		all += n
		if explorationTools[strings.ToLower(tool)] {
			explorations += n
		}
	}
	if all == 0 {
		l.unknown = append(l.unknown, "exploration ratio")
		return
	}
	ratio := float64(explorations) / float64(all)
	line := fmt.Sprintf("exploration ratio: %.2f, %v ± %v expected", ratio, *limits.ExplorationRatio, limits.ExplorationSlack)
	if (score.Tolerance{Max: limits.ExplorationSlack}).Allows(profile, ratio, *limits.ExplorationRatio) {
		l.hits = append(l.hits, line)
	} else {
		l.misses = append(l.misses, line)
	}
}
