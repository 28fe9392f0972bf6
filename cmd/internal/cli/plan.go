package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/judge/price"
	"github.com/rubric-ls/rubric/core/metric"
)

// plan is what a run would ask, as its JSON has it.
type plan struct {
	Cases       int        `json:"cases"`
	Metrics     []asking   `json:"metrics,omitempty"` // of evalsets of ADK, each once
	TargetCalls int        `json:"target_calls"`      // of models and commands
	JudgeCalls  int        `json:"judge_calls"`
	Kept        int        `json:"judgements_kept"` // which are not asked again
	Input       [2]int     `json:"judge_input_tokens"`
	Output      [2]int     `json:"judge_output_tokens"`
	Cost        [2]float64 `json:"judge_cost_usd"`       // of the calls whose price is known
	Unpriced    int        `json:"judge_calls_unpriced"` // the others
	Prices      string     `json:"prices_of,omitempty"`  // the day of those that are built in, if any of them is among these

	Contacts   []contact `json:"contacts,omitempty"`
	PriceFiles []string  `json:"price_files,omitempty"` // settings files that prices are from

	mu sync.Mutex
}

// asking is how often a metric asks a judge.
type asking struct {
	Metric string `json:"metric"`
	Asks   string `json:"asks"` // in words; "" for one that asks nobody
}

// contact is what a target or judge would reach.
type contact struct {
	Role string `json:"role"` // target or judge
	Name string `json:"name"`
	host.Contact
}

// reaches notes what a target or judge would reach, once each.
func (p *plan) reaches(role, name string, c host.Contact) {
	same := func(known contact) bool {
		return known.Role == role && known.Name == name && known.String() == c.String()
	}
	if c.String() != "" && !slices.ContainsFunc(p.Contacts, same) {
		p.Contacts = append(p.Contacts, contact{role, name, c})
	}
}

// measures notes what the metrics of a trial ask.
func (p *plan) measures(t *adk.Trial, moderated bool) {
	for _, c := range t.Criteria {
		a := asking{c.Metric, c.Asks()}
		if moderated && c.Metric == metric.Safety {
			a.Asks = "1 question for each turn, to the moderation endpoint"
		}
		if !slices.Contains(p.Metrics, a) {
			p.Metrics = append(p.Metrics, a)
		}
	}
}

// asked is a judge at a rate, nil if it is not known, of which each question is
// noted. The offline judge answers, so that what depends on an answer is asked too.
func (p *plan) asked(rate *host.Rate) judge.Judge {
	return judge.Func(func(ctx context.Context, q judge.Question) (judge.Answer, error) {
		p.note(price.Expect(q), rate)
		return offline.Judge{}.Ask(ctx, q)
	})
}

func (p *plan) note(e price.Estimate, rate *host.Rate) {
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
		p.Prices = price.Date
	}
	if rate.File != "" && !slices.Contains(p.PriceFiles, rate.File) {
		p.PriceFiles = append(p.PriceFiles, rate.File)
	}
	least, most := rate.Cost(e)
	p.Cost[0] += least
	p.Cost[1] += most
}

// lookOnly is a store that is not written to.
type lookOnly struct{ judge.Store }

// Put keeps nothing.
func (lookOnly) Put(string, judge.Answer) error { return nil }

// dry has the plan asked in everyone's place.
func (d *doors) dry() {
	d.Instead = d.plan.asked
	if d.Cache != nil {
		d.Cache = lookOnly{d.Cache}
	}
}

// plan goes through the run without asking anyone or running anything.
func (s *session) plan(suites []loaded, d *doors, o *runOptions) int {
	p := &d.plan
	for _, suite := range suites {
		if suite.trial != nil {
			p.measures(suite.trial, o.moderate != nil)
		}
		r := o.runner(suite)
		r.Exec, r.Sandbox = nil, nil
		r.Brief = true
		var failed error
		cases, total := suite.chosen(o.cases, &failed)
		for range r.Stream(s.ctx, suite.suite, cases, total) {
			p.Cases++
			if suite.target.asked {
				p.TargetCalls++
			}
		}
		if failed != nil {
			return s.refuse("%s", failed)
		}
	}
	if s.ctx.Err() != nil {
		fmt.Fprintf(s.stderr, "rubric: interrupted before all cases were looked at\n")
		return exitFindings
	}
	p.Kept = d.kept.kept
	if err := s.printPlan(p, o); err != nil {
		return s.refuse("%s", err)
	}
	return exitOK
}

func (s *session) printPlan(p *plan, o *runOptions) error {
	if o.format == "json" {
		out, err := json.MarshalIndent(p, "", "  ")
		if err == nil {
			_, err = s.stdout.Write(append(out, '\n'))
		}
		return err
	}
	_, err := fmt.Fprintf(s.stdout, "%s; nobody was asked\n%sjudge:  %s, and %d kept from earlier runs\n",
		plural(p.Cases, "case"), p.answering(), plural(p.JudgeCalls, "call"), p.Kept)
	for _, c := range p.Contacts {
		if err == nil {
			_, err = fmt.Fprintf(s.stdout, "        %s `%s` %s\n", c.Role, c.Name, c)
		}
	}
	if err != nil || p.JudgeCalls == 0 {
		return err
	}
	_, err = fmt.Fprintf(s.stdout, "        about %d to %d tokens to read and %d to %d to write: %s\n"+
		"        a reply that cannot be used is asked for again, up to twice\n", p.Input[0], p.Input[1], p.Output[0], p.Output[1], p.cost())
	if err == nil && p.TargetCalls > 0 {
		_, err = fmt.Fprintln(s.stdout, "        the target's answers, which are not known yet, come on top, as does what they cost")
	}
	if over := p.over(o); err == nil && over != "" {
		_, err = fmt.Fprintf(s.stdout, "        %s may be reached, and what is left then stays ungraded\n", over)
	}
	return err
}

// over are the limits that the judges alone may go beyond, as options.
func (p *plan) over(o *runOptions) string {
	var limits []string
	if o.maxCalls > 0 && p.JudgeCalls > o.maxCalls {
		limits = append(limits, "--max-calls")
	}
	if o.maxCost > 0 && p.Cost[1] > o.maxCost {
		limits = append(limits, "--max-cost")
	}
	return diag.Listed(limits, "and")
}

// answering is who answers, in words: a target, or nobody where conversations are
// measured that are recorded already.
func (p *plan) answering() string {
	var said string
	if len(p.Metrics) == 0 || p.TargetCalls > 0 {
		said = fmt.Sprintf("target: %s\n", plural(p.TargetCalls, "call"))
	}
	for _, a := range p.Metrics {
		said += fmt.Sprintf("  %-*s  %s\n", metricWidth, a.Metric, cmp.Or(a.Asks, "asks nobody, and costs nothing"))
	}
	return said
}

// metricWidth is the most room that the name of a usual metric takes.
const metricWidth = len(metric.ResponseQuality)

// cost is the price range in words.
func (p *plan) cost() string {
	if p.Unpriced == p.JudgeCalls {
		return "what that costs is not known"
	}
	said := fmt.Sprintf("$%.4f to $%.4f", p.Cost[0], p.Cost[1])
	if p.Prices != "" {
		said += fmt.Sprintf(" (known prices are of %s)", p.Prices)
	}
	for _, file := range p.PriceFiles {
		said += fmt.Sprintf(" (prices from %s)", file)
	}
	if p.Unpriced > 0 {
		said += fmt.Sprintf(", and what %s of them cost is not known", plural(p.Unpriced, "call"))
	}
	return said
}
