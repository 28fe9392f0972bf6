package run

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/judge/price"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
)

// Plan says what runs would do: whom they would ask, how often and at what cost. A host with a Plan
// opens targets and judges without asking them; see [Host]. The zero value is ready to use.
type Plan struct {
	Cases       int           `json:"cases"`
	Ungraded    int           `json:"cases_ungraded,omitempty"` // of these, without an answer to grade
	NotRun      []NotRun      `json:"not_run,omitempty"`        // some of these, and why
	Metrics     []MetricCalls `json:"metrics,omitempty"`        // of ADK evalsets, without duplicates
	TargetCalls int           `json:"target_calls"`             // calls of models and commands
	JudgeCalls  int           `json:"judge_calls"`
	Cached      int           `json:"judgements_kept"` // from the cache
	Input       [2]int        `json:"judge_input_tokens"`
	Output      [2]int        `json:"judge_output_tokens"`
	Cost        [2]float64    `json:"judge_cost_usd"`       // lowest and highest cost of the priced calls
	Unpriced    int           `json:"judge_calls_unpriced"` // calls without a known price
	Prices      string        `json:"prices_of,omitempty"`  // date of the built-in prices, if one was used

	Contacts   []PlannedContact `json:"contacts,omitempty"`
	Consents   []string         `json:"consents_missing,omitempty"` // what the run asks the user to allow first
	PriceFiles []string         `json:"price_files,omitempty"`      // settings files with prices that were used

	mu sync.Mutex
}

// maxNotRun limits how many cases without an answer a plan names.
const maxNotRun = 5

// NotRun is a case that would not be graded, and why.
type NotRun struct {
	Case   string `json:"case"`
	Reason string `json:"reason"`
}

// MetricCalls says how often a metric asks a judge.
type MetricCalls struct {
	Metric    string `json:"metric"`
	Questions string `json:"asks"` // as text; "" if the metric asks no judge
}

// PlannedContact is what a target or a judge would reach.
type PlannedContact struct {
	Role string `json:"role"` // target or judge
	Name string `json:"name"`
	Access
}

// Rate is the price of a model, and where it is from.
type Rate struct {
	price.Rate
	BuiltIn bool   // from [price.BuiltIn]
	File    string // settings file that sets it; otherwise ""
}

// Judge returns a judge that adds an estimate for each question. A nil rate means an unknown price.
// The offline judge answers, so that questions that depend on answers are estimated too.
func (p *Plan) Judge(rate *Rate) judge.Judge {
	return judge.Func(func(ctx context.Context, q judge.Question) (judge.Answer, error) {
		p.addEstimate(price.EstimateTokens(q), rate)
		return offline.Judge{}.Ask(ctx, q)
	})
}

// AddCached counts a judgement from the cache.
func (p *Plan) AddCached() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Cached++
}

func (p *Plan) addEstimate(e price.Estimate, rate *Rate) {
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
		p.Prices = price.BuiltInDate()
	}
	if rate.File != "" && !slices.Contains(p.PriceFiles, rate.File) {
		p.PriceFiles = append(p.PriceFiles, rate.File)
	}
	least, most := rate.CostRange(e)
	p.Cost[0] += least
	p.Cost[1] += most
}

// addRun adds whom a run would ask.
func (p *Plan) addRun(r *Run, c *Conversations, moderated bool) {
	p.addContact("target", r.TargetName, r.OpenedTarget.Access)
	for _, j := range r.OpenedJudges {
		p.addContact("judge", j.Names[0], j.Access)
	}
	if c == nil {
		return
	}
	var all []MetricCalls
	if c.User != nil {
		all = append(all, MetricCalls{"conversation_scenario", c.User.Limit})
	}
	for _, criterion := range c.Metrics {
		calls := MetricCalls{criterion.Metric, criterion.JudgeCalls()}
		if moderated && criterion.Metric == metric.Safety {
			calls.Questions = "1 question for each turn, to the moderation endpoint"
		}
		all = append(all, calls)
	}
	for _, calls := range all {
		if !slices.Contains(p.Metrics, calls) {
			p.Metrics = append(p.Metrics, calls)
		}
	}
}

func (p *Plan) addContact(role, name string, a Access) {
	same := func(known PlannedContact) bool {
		return known.Role == role && known.Name == name && known.String() == a.String()
	}
	if a.String() != "" && !slices.ContainsFunc(p.Contacts, same) {
		p.Contacts = append(p.Contacts, PlannedContact{role, name, a})
	}
}

// AddCases goes through the cases of a run that was opened for this plan.
func (p *Plan) AddCases(ctx context.Context, r *Run, cases iter.Seq[*rubric.Case], total int) {
	planned := r.Runner
	planned.Exec, planned.Sandbox, planned.Clock = nil, nil, nil
	for e := range planned.Stream(ctx, r.Suite, cases, total) {
		if e.Stage != Done {
			continue
		}
		if e.Record.Error != "" && ctx.Err() == nil {
			if p.Ungraded++; p.Ungraded <= maxNotRun {
				p.NotRun = append(p.NotRun, NotRun{e.Case.ID, e.Record.Error})
			}
		}
		p.Cases++
		if r.targetOf(e.Case).Access.String() != "" {
			p.TargetCalls++
			if held := e.Record.Recorded; held != nil { // each turn is a call
				p.TargetCalls += len(held.Invocations) - 1
			}
		}
	}
}

// Preview says what a run of a file would do, for an editor. Making one runs nothing.
type Preview struct {
	Target    string           `json:"target"`
	Judge     string           `json:"judge"`
	Trusted   bool             `json:"trusted"` // the run is allowed
	Cases     []PreviewCase    `json:"cases"`
	Questions int              `json:"questions"`          // to a judge other than the offline one, if it needs no second attempt
	Cached    int              `json:"cached,omitempty"`   // of these, answered from the cache
	Cost      [2]float64       `json:"cost,omitzero"`      // in US dollars, lowest and highest, of the judge's priced questions
	Contacts  []PlannedContact `json:"contacts,omitempty"` // what target and judge would reach
	Programs  int              `json:"programs"`           // graders that are programs; they run only where that is allowed
	Errors    []string         `json:"errors"`             // why the run, or some cases, cannot run
	Skipped   []NotRun         `json:"skipped,omitempty"`  // the cases that have errors
	Notes     []string         `json:"notes,omitempty"`
}

// PreviewCase says what a run would do for one case.
type PreviewCase struct {
	Case    string          `json:"case"`
	Graders []PreviewGrader `json:"graders"`
}

// PreviewGrader says what a run would do for one grader.
type PreviewGrader struct {
	Name     string      `json:"name"`
	Type     rubric.Kind `json:"type"`
	Criteria int         `json:"criteria,omitempty"`
}

// AddCases adds cases, and returns those without an error. Faults are the errors by case id.
func (p *Preview) AddCases(cases []*rubric.Case, faults map[string]string) (runnable []*rubric.Case) {
	for _, c := range cases {
		if fault := faults[c.ID]; fault != "" {
			p.Skipped = append(p.Skipped, NotRun{c.ID, fault})
			p.Errors = append(p.Errors, fmt.Sprintf("`%s` is not run: %s", c.ID, fault))
			continue
		}
		planned := PreviewCase{Case: c.ID, Graders: []PreviewGrader{}}
		for _, g := range grade.GradersOf(c) {
			planned.Graders = append(planned.Graders, PreviewGrader{g.Name, g.Kind, len(g.Criteria)})
		}
		for g := range rubric.Walk(grade.GradersOf(c)) {
			if g.Kind == rubric.CodeJudge {
				p.Programs++
			}
		}
		p.Cases = append(p.Cases, planned)
		runnable = append(runnable, c)
	}
	return runnable
}

// AddRun adds who would answer and judge cases, how often and at what cost. The run is open for plan.
func (p *Preview) AddRun(ctx context.Context, plan *Plan, opened *Run, cases []*rubric.Case) {
	plan.AddCases(ctx, opened, slices.Values(cases), len(cases))
	p.Target, p.Judge = opened.TargetName, opened.JudgeName
	p.Questions, p.Cached, p.Cost, p.Contacts = plan.JudgeCalls+plan.Cached, plan.Cached, plan.Cost, plan.Contacts
	for _, c := range plan.NotRun {
		p.Notes = append(p.Notes, fmt.Sprintf("`%s` is not graded: %s", c.Case, c.Reason))
	}
}

// String returns the preview as one line.
func (p *Preview) String() string {
	if len(p.Cases) == 0 && len(p.Errors) > 0 {
		return p.Errors[0]
	}
	line := fmt.Sprintf("%s would be answered by `%s` and judged by `%s`: %s", diag.CountNoun(len(p.Cases), "case"), p.Target, p.Judge, diag.CountNoun(p.Questions, "question"))
	if p.Programs > 0 {
		line += ", " + diag.CountNoun(p.Programs, "program")
	}
	for _, more := range [][]string{p.Errors, p.Notes} {
		if len(more) > 0 {
			line += "; " + more[0]
		}
	}
	if !p.Trusted {
		line += "; nothing is run, because this workspace is not trusted"
	}
	return line
}
