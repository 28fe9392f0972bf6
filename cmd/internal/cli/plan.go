package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/run"
)

// A token is about this many bytes of a prompt, at most and at least, and a judge
// writes about this many tokens on each thing it judges and once more on the whole.
const (
	mostBytes, leastBytes     = 5.0, 2.5
	leastWritten, mostWritten = 15, 120
)

// plan is what a run would ask, as its JSON has it. Prices are not known here.
type plan struct {
	Cases       int    `json:"cases"`
	TargetCalls int    `json:"target_calls"` // of models and commands
	JudgeCalls  int    `json:"judge_calls"`
	Kept        int    `json:"judgements_kept"` // which are not asked again
	Input       [2]int `json:"judge_input_tokens"`
	Output      [2]int `json:"judge_output_tokens"`

	mu sync.Mutex
}

// Ask notes a question and has the offline judge answer it: a stand-in, so that
// what depends on an answer is asked too.
func (p *plan) Ask(ctx context.Context, q judge.Question) (judge.Answer, error) {
	size := float64(len(q.System) + len(q.User) + len(q.Schema))
	parts := len(q.Brief.Items) + 1
	p.mu.Lock()
	p.JudgeCalls++
	p.Input[0] += int(size / mostBytes)
	p.Input[1] += int(size / leastBytes)
	p.Output[0] += leastWritten * parts
	p.Output[1] += mostWritten * parts
	p.mu.Unlock()
	return offline.Judge{}.Ask(ctx, q)
}

// lookOnly is a store that is not written to.
type lookOnly struct{ judge.Store }

// Put keeps nothing.
func (lookOnly) Put(string, judge.Answer) error { return nil }

// dry has the plan asked in everyone's place.
func (d *doors) dry() {
	d.Instead = &d.plan
	if d.Cache != nil {
		d.Cache = lookOnly{d.Cache}
	}
}

// plan goes through the run without asking anyone or running anything.
func (s *session) plan(suites []loaded, d *doors, o *runOptions) int {
	p := &d.plan
	for _, suite := range suites {
		r := o.runner(suite)
		r.Exec, r.Sandbox = nil, nil
		for e := range r.Run(s.ctx, suite.suite, run.Only(o.cases...)) {
			if e.Stage == run.Done {
				p.Cases++
				if suite.target.asked {
					p.TargetCalls++
				}
			}
		}
	}
	p.Kept = d.kept.kept
	if err := s.printPlan(p, o.format); err != nil {
		return s.misuse("run: %s", err)
	}
	return exitOK
}

func (s *session) printPlan(p *plan, format string) error {
	if format == "json" {
		out, err := json.MarshalIndent(p, "", "  ")
		if err == nil {
			_, err = s.stdout.Write(append(out, '\n'))
		}
		return err
	}
	_, err := fmt.Fprintf(s.stdout, "%s; nobody was asked\ntarget: %s\njudge:  %s, and %d kept from earlier runs\n",
		plural(p.Cases, "case"), plural(p.TargetCalls, "call"), plural(p.JudgeCalls, "call"), p.Kept)
	if err != nil || p.JudgeCalls == 0 {
		return err
	}
	_, err = fmt.Fprintf(s.stdout, "        about %d to %d tokens to read and %d to %d to write; what that costs is not known here\n"+
		"        a reply that cannot be used is asked for again, up to twice\n", p.Input[0], p.Input[1], p.Output[0], p.Output[1])
	if err == nil && p.TargetCalls > 0 {
		_, err = fmt.Fprintln(s.stdout, "        the target's answers, which are not known yet, come on top")
	}
	return err
}
