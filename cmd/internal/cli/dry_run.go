package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/run"
)

// dryRun runs through all cases without asking or running anything.
func (s *session) dryRun(backends *backends) error {
	suites, o, p := backends.suites, backends.options, backends.Plan
	for _, suite := range suites {
		var failed error
		cases, total := suite.selectedCases(o, &failed)
		targetCalls := p.TargetCalls
		if p.AddCases(s.ctx, suite.run, cases, total); failed != nil {
			return failed
		}
		if judge := suite.variant.Judge; judge != "" && judge != o.Judges[0] { // it grades the answers to the first judge
			p.TargetCalls = targetCalls
		}
	}
	if s.ctx.Err() != nil {
		fmt.Fprintf(s.stderr, "rubric: interrupted before all cases were planned\n")
		return exitInterrupted
	}
	if !o.trust {
		needed, err := s.usesOfFiles(suites, o)
		if err != nil {
			return err
		}
		_, missing, err := missingConsents(needed)
		if err != nil {
			return err
		}
		for _, c := range missing {
			p.Consents = append(p.Consents, c.Use)
		}
	}
	return s.printPlan(p, o)
}

func (s *session) printPlan(p *run.Plan, o *runOptions) error {
	var out strings.Builder
	fmt.Fprintf(&out, "%s; dry run, nothing was contacted\n%sjudge:  %s, and %d cached\n",
		diag.CountNoun(p.Cases, "case"), targetSummary(p), diag.CountNoun(p.JudgeCalls, "call"), p.Cached)
	for _, c := range p.NotRun {
		fmt.Fprintf(&out, "        `%s` is not graded: %s\n", tableCell(c.Case), tableCell(c.Reason))
	}
	if more := p.Ungraded - len(p.NotRun); more > 0 {
		fmt.Fprintf(&out, "        %s more not graded\n", diag.CountNoun(more, "case"))
	}
	for _, c := range p.Contacts {
		fmt.Fprintf(&out, "        %s `%s` %s\n", c.Role, c.Name, c)
	}
	attempts, often := 3, "twice"
	if o.Profile.IsV4OrLater() {
		attempts, often = 4, "three times"
	}
	for _, use := range p.Consents {
		fmt.Fprintf(&out, "        a run asks for your consent first: %s\n", report.Printable(use))
	}
	if p.JudgeCalls > 0 {
		fmt.Fprintf(&out, "        about %d to %d tokens to read and %d to %d to write: %s\n"+
			"        an unusable reply is requested again, up to %s: at most %s\n", p.Input[0], p.Input[1], p.Output[0], p.Output[1], costSummary(p), often, diag.CountNoun(attempts*p.JudgeCalls, "call"))
		if p.TargetCalls > 0 {
			out.WriteString("        the target's answers are not known yet; they add tokens and cost\n")
		}
		var limits []string // that the judges alone may exceed
		if o.MaxCalls > 0 && p.JudgeCalls > o.MaxCalls {
			limits = append(limits, "--max-calls")
		}
		if o.MaxCost > 0 && p.Cost[1] > o.MaxCost {
			limits = append(limits, "--max-cost")
		}
		if len(limits) > 0 {
			fmt.Fprintf(&out, "        %s may be reached; the remaining questions then stay ungraded\n", diag.JoinList(limits, "and"))
		}
	}
	return s.printAs(o.format, p, wrapLines(out.String(), s.width(s.stdout)))
}

// targetSummary describes who answers and how often metrics ask.
func targetSummary(p *run.Plan) string {
	var summary string
	if len(p.Metrics) == 0 || p.TargetCalls > 0 {
		summary = fmt.Sprintf("target: %s\n", diag.CountNoun(p.TargetCalls, "call"))
	}
	for _, a := range p.Metrics {
		summary += fmt.Sprintf("  %-*s  %s\n", metricWidth, a.Metric, cmp.Or(a.Questions, "no questions, no cost"))
	}
	return summary
}

// metricWidth is the width of the longest built-in metric name.
const metricWidth = len(metric.ResponseQuality)

// costSummary describes the range of the cost.
func costSummary(p *run.Plan) string {
	if p.Unpriced == p.JudgeCalls {
		return "cost unknown"
	}
	summary := fmt.Sprintf("$%.4f to $%.4f", p.Cost[0], p.Cost[1])
	if p.Prices != "" {
		summary += fmt.Sprintf(" (built-in prices as of %s)", p.Prices)
	}
	for _, file := range p.PriceFiles {
		summary += fmt.Sprintf(" (prices from %s)", file)
	}
	if p.Unpriced > 0 {
		summary += fmt.Sprintf(", and %s of unknown cost", diag.CountNoun(p.Unpriced, "call"))
	}
	return summary
}
