package grade

import (
	"context"
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// exploring are the tools that look around without changing anything, in lower
// case.
var exploring = map[string]bool{
	"read": true, "grep": true, "glob": true, "search": true, "list": true, "websearch": true, "webfetch": true,
}

// gauge holds what was used against limits.
type gauge struct {
	hits, misses []string
	unknown      []string // what is limited and was not measured
}

// check compares what was used with its limit; a nil limit limits nothing.
func (g *gauge) check(what, unit string, used, limit *float64) {
	switch {
	case limit == nil:
	case used == nil:
		g.unknown = append(g.unknown, what)
	case *used <= *limit:
		g.hits = append(g.hits, fmt.Sprintf("%s: %v%s of at most %v", what, *used, unit, *limit))
	default:
		g.misses = append(g.misses, fmt.Sprintf("%s: %v%s, more than %v", what, *used, unit, *limit))
	}
}

// all is 1 if every limit holds, else 0.
func (g *gauge) all(t task) Outcome {
	switch {
	case len(g.unknown) > 0:
		return Outcome{Result: t.lacking("not known of this run: " + strings.Join(g.unknown, ", "))}
	case len(g.hits)+len(g.misses) == 0:
		return Outcome{Result: t.lacking("it sets no limit")}
	}
	value := 0.0
	if len(g.misses) == 0 {
		value = 1
	}
	return Outcome{Result: score.Plain(value, g.hits, g.misses, "")}
}

func (t task) limits() rubric.Limits {
	if t.g.Limits == nil {
		return rubric.Limits{}
	}
	return *t.g.Limits
}

func (t task) trace() Trace {
	if t.sub.Trace == nil {
		return Trace{}
	}
	return *t.sub.Trace
}

func gradeLatency(_ context.Context, t task) Outcome {
	var g gauge
	g.check("duration", " ms", t.trace().DurationMS, t.limits().DurationMS)
	return g.all(t)
}

func gradeCost(_ context.Context, t task) Outcome {
	var g gauge
	g.check("cost", " USD", t.trace().CostUSD, t.limits().CostUSD)
	return g.all(t)
}

// gradeTokens limits tokens. Cached ones count towards the total.
func gradeTokens(_ context.Context, t task) Outcome {
	var g gauge
	var input, output, total *float64
	if used := t.trace().TokenUsage; used != nil {
		sum := used.Input + used.Output + used.Cached
		input, output, total = &used.Input, &used.Output, &sum
	}
	limits := t.limits()
	g.check("input tokens", "", input, limits.InputTokens)
	g.check("output tokens", "", output, limits.OutputTokens)
	g.check("total tokens", "", total, limits.TotalTokens)
	return g.all(t)
}

// gradeMetrics is the share of limits that hold. By the rules one that cannot
// be checked leaves it ungraded; the reference counts it as exceeded. Here, as
// there, the total of tokens leaves out the cached ones.
func gradeMetrics(_ context.Context, t task) Outcome {
	var g gauge
	trace, limits := t.trace(), t.limits()
	counts, known := t.sub.tally()
	g.check("tool calls", "", toolCalls(counts, known, trace), limits.ToolCalls)
	var llmCalls, tokens *float64
	if trace.LLMCalls != nil {
		n := float64(*trace.LLMCalls)
		llmCalls = &n
	}
	g.check("model calls", "", llmCalls, limits.LLMCalls)
	if used := trace.TokenUsage; used != nil {
		sum := used.Input + used.Output
		tokens = &sum
	}
	g.check("tokens", "", tokens, limits.TotalTokens)
	g.check("cost", " USD", trace.CostUSD, limits.CostUSD)
	g.check("duration", " ms", trace.DurationMS, limits.DurationMS)
	g.exploration(t.ports.Profile, counts, limits)
	if t.reference() {
		for _, what := range g.unknown {
			g.misses = append(g.misses, what+": not known")
		}
		g.unknown = nil
	}
	if len(g.unknown) > 0 || len(g.hits)+len(g.misses) == 0 {
		return g.all(t)
	}
	value := float64(len(g.hits)) / float64(len(g.hits)+len(g.misses))
	return Outcome{Result: score.Plain(value, g.hits, g.misses, "")}
}

func toolCalls(counts map[string]int, known bool, trace Trace) *float64 {
	n := 0.0
	switch {
	case trace.EventCount != nil:
		n = float64(*trace.EventCount)
	case !known:
		return nil
	default:
		for _, c := range counts {
			n += float64(c)
		}
	}
	return &n
}

// exploration compares the share of calls that only look around with its target.
func (g *gauge) exploration(profile score.Profile, counts map[string]int, limits rubric.Limits) {
	if limits.ExplorationRatio == nil {
		return
	}
	looked, all := 0, 0
	for tool, n := range counts {
		all += n
		if exploring[strings.ToLower(tool)] {
			looked += n
		}
	}
	if all == 0 {
		g.unknown = append(g.unknown, "exploration ratio")
		return
	}
	ratio := float64(looked) / float64(all)
	line := fmt.Sprintf("exploration ratio: %.2f, %v ± %v wanted", ratio, *limits.ExplorationRatio, limits.ExplorationSlack)
	if (score.Tolerance{Most: limits.ExplorationSlack}).Allows(profile, ratio, *limits.ExplorationRatio) {
		g.hits = append(g.hits, line)
	} else {
		g.misses = append(g.misses, line)
	}
}
