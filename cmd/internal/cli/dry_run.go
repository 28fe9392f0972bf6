package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/judge/price"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/run"
)

// A dryRunPlan holds what a run would ask, and its JSON form.
type dryRunPlan struct {
	Cases       int           `json:"cases"`
	Metrics     []metricCalls `json:"metrics,omitempty"` // of ADK evalsets, without duplicates
	TargetCalls int           `json:"target_calls"`      // calls of models and commands
	JudgeCalls  int           `json:"judge_calls"`
	Cached      int           `json:"judgements_kept"` // from the cache
	Input       [2]int        `json:"judge_input_tokens"`
	Output      [2]int        `json:"judge_output_tokens"`
	Cost        [2]float64    `json:"judge_cost_usd"`       // lowest and highest cost of the priced calls
	Unpriced    int           `json:"judge_calls_unpriced"` // calls without a known price
	Prices      string        `json:"prices_of,omitempty"`  // date of the built-in prices, if one was used

	Contacts   []plannedContact `json:"contacts,omitempty"`
	PriceFiles []string         `json:"price_files,omitempty"` // settings files with prices that were used

	mu sync.Mutex
}

// metricCalls says how often a metric asks a judge.
type metricCalls struct {
	Metric    string `json:"metric"`
	Questions string `json:"asks"` // as text; "" if the metric asks no judge
}

// A plannedContact is a host that a target or judge would contact.
type plannedContact struct {
	Role string `json:"role"` // target or judge
	Name string `json:"name"`
	run.Access
}

// addContact records a contact once.
func (p *dryRunPlan) addContact(role, name string, c run.Access) {
	same := func(known plannedContact) bool {
		return known.Role == role && known.Name == name && known.String() == c.String()
	}
	if c.String() != "" && !slices.ContainsFunc(p.Contacts, same) {
		p.Contacts = append(p.Contacts, plannedContact{role, name, c})
	}
}

// addMetrics records what the metrics of an evaluation ask.
func (p *dryRunPlan) addMetrics(evaluation *adk.Evaluation, moderated bool) {
	for _, c := range evaluation.Criteria {
		a := metricCalls{c.Metric, c.JudgeCalls()}
		if moderated && c.Metric == metric.Safety {
			a.Questions = "1 question for each turn, to the moderation endpoint"
		}
		if !slices.Contains(p.Metrics, a) {
			p.Metrics = append(p.Metrics, a)
		}
	}
}

// estimatingJudge returns a judge that records an estimate for each question. A nil rate
// means an unknown price. The offline judge answers, so that questions that depend on
// answers are estimated too.
func (p *dryRunPlan) estimatingJudge(rate *host.Rate) judge.Judge {
	return judge.Func(func(ctx context.Context, q judge.Question) (judge.Answer, error) {
		p.addEstimate(price.EstimateTokens(q), rate)
		return offline.Judge{}.Ask(ctx, q)
	})
}

func (p *dryRunPlan) addEstimate(e price.Estimate, rate *host.Rate) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.JudgeCalls++
	for i := range 2 {
		p.Input[i] += e.Input[i]
		p.Output[i] += e.Output[i]
	}
	if rate == nil {
		p.Unpriced++
		return
	}
	if rate.BuiltIn {
		p.Prices = price.BuiltInDate
	}
	if rate.File != "" && !slices.Contains(p.PriceFiles, rate.File) {
		p.PriceFiles = append(p.PriceFiles, rate.File)
	}
	least, most := rate.CostRange(e)
	p.Cost[0] += least
	p.Cost[1] += most
}

// A readOnlyStore is a store that ignores writes.
type readOnlyStore struct{ judge.Store }

// Put does nothing.
func (readOnlyStore) Put(string, judge.Answer) error { return nil }

// useDryRun replaces all judges by the plan.
func (b *backends) useDryRun() {
	b.PlanJudge = b.plan.estimatingJudge
	if b.Cache != nil {
		b.Cache = readOnlyStore{b.Cache}
	}
}

// dryRun runs through all cases without asking or running anything.
func (s *session) dryRun(suites []loadedSuite, backends *backends, o *runOptions) int {
	p := &backends.plan
	for _, suite := range suites {
		if suite.evaluation != nil {
			p.addMetrics(suite.evaluation, o.Moderation != "")
		}
		r := suite.run.Runner
		r.Exec, r.Sandbox = nil, nil
		var failed error
		cases, total := suite.selectedCases(o.cases, &failed)
		for e := range r.Stream(s.ctx, suite.suite, cases, total) {
			if e.Stage != run.Done {
				continue
			}
			p.Cases++
			if suite.run.OpenedTarget.Access.String() != "" {
				p.TargetCalls++
			}
		}
		if failed != nil {
			return s.commandError("%s", failed)
		}
	}
	if s.ctx.Err() != nil {
		fmt.Fprintf(s.stderr, "rubric: interrupted before all cases were planned\n")
		return exitFindings
	}
	p.Cached = backends.cacheUsage.cached
	if err := s.printPlan(p, o); err != nil {
		return s.commandError("%s", err)
	}
	return exitOK
}

func (s *session) printPlan(p *dryRunPlan, o *runOptions) error {
	if o.format == "json" {
		return writeJSON(s.stdout, p)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s; dry run, nothing was contacted\n%sjudge:  %s, and %d cached\n",
		plural(p.Cases, "case"), p.targetSummary(), plural(p.JudgeCalls, "call"), p.Cached)
	for _, c := range p.Contacts {
		fmt.Fprintf(&out, "        %s `%s` %s\n", c.Role, c.Name, c)
	}
	if p.JudgeCalls > 0 {
		fmt.Fprintf(&out, "        about %d to %d tokens to read and %d to %d to write: %s\n"+
			"        unusable replies are requested again, up to twice\n", p.Input[0], p.Input[1], p.Output[0], p.Output[1], p.costSummary())
		if p.TargetCalls > 0 {
			out.WriteString("        the target's answers are not known yet; they add tokens and cost\n")
		}
		if over := p.exceededLimits(o); over != "" {
			fmt.Fprintf(&out, "        %s may be reached; the remaining questions then stay ungraded\n", over)
		}
	}
	_, err := io.WriteString(s.stdout, out.String())
	return err
}

// exceededLimits names the limits that the judges alone may exceed.
func (p *dryRunPlan) exceededLimits(o *runOptions) string {
	var limits []string
	if o.MaxCalls > 0 && p.JudgeCalls > o.MaxCalls {
		limits = append(limits, "--max-calls")
	}
	if o.MaxCost > 0 && p.Cost[1] > o.MaxCost {
		limits = append(limits, "--max-cost")
	}
	return diag.JoinList(limits, "and")
}

// targetSummary describes who answers and how often metrics ask.
func (p *dryRunPlan) targetSummary() string {
	var summary string
	if len(p.Metrics) == 0 || p.TargetCalls > 0 {
		summary = fmt.Sprintf("target: %s\n", plural(p.TargetCalls, "call"))
	}
	for _, a := range p.Metrics {
		summary += fmt.Sprintf("  %-*s  %s\n", metricWidth, a.Metric, cmp.Or(a.Questions, "no questions, no cost"))
	}
	return summary
}

// metricWidth is the width of the longest built-in metric name.
const metricWidth = len(metric.ResponseQuality)

// costSummary describes the range of the cost.
func (p *dryRunPlan) costSummary() string {
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
		summary += fmt.Sprintf(", and %s of unknown cost", plural(p.Unpriced, "call"))
	}
	return summary
}
