// Package targets opens targets and judges by their names: models, commands, recordings, and the
// definitions of a targets file.
package targets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/process"
	"github.com/rubric-ls/rubric/cmd/internal/host/provider"
	"github.com/rubric-ls/rubric/cmd/internal/host/resultstore"
	"github.com/rubric-ls/rubric/cmd/internal/host/sandbox"
	"github.com/rubric-ls/rubric/cmd/internal/host/wasi"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/price"
	wire "github.com/rubric-ls/rubric/core/judge/provider"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// Ports opens judges and targets by name. It connects to nothing before the first question,
// except for healthchecks.
type Ports struct {
	// Timeout limits the time for one answer and overrides definitions. If it is 0, those count,
	// and otherwise two minutes.
	Timeout time.Duration
	Limits  provider.Limits // for models without limits of their own

	TargetsFile string // defines the targets; if it is "", the targets file nearest to the eval file does

	// Key returns the key that the user's client holds under the name of a provider's variable,
	// or "". If it is nil, only the process's environment and .env files hold keys.
	Key func(ctx context.Context, name string) string

	// Cache stores the judgements of models, but not of commands, whose inputs are unknown; nil
	// stores nothing. OnJudgement, if not nil, is called for every judgement, with whether it
	// came from the cache, and for every error of the cache.
	Cache       judge.Store
	OnJudgement func(cached bool, err error)

	// Limit counts the questions to models and commands that judge, without cached judgements. A
	// maximum of 0 means no limit, also that of Budget.
	Limit judge.Limit

	// Budget counts the cost of models, both as judges and as targets. Prices are the user's own and
	// override all others.
	Budget        price.Budget
	Prices        price.Table
	ProjectPrices []host.ProjectPrices

	// Plan, if not nil, replaces every model and command, so that nothing is contacted.
	Plan *run.Plan

	// OnNote, if not nil, is called once for each note about opened targets that the user should
	// see.
	OnNote func(string)

	ledger judge.Ledger // see [Ports.Share]
	noted  sync.Map
	once   sync.Once
	client *provider.Client
}

// NewPorts returns ports with the limits and prices of a run of files, or of its plan.
func NewPorts(s run.Settings, plan *run.Plan, files ...string) (*Ports, error) {
	p := &Ports{Plan: plan, TargetsFile: s.TargetsFile, Limits: provider.Limits{Requests: s.RPM, Tokens: s.TPM},
		Limit: judge.Limit{Max: s.MaxCalls}, Budget: price.Budget{Max: s.MaxCost}}
	if s.IsSet("timeout") {
		p.Timeout = s.Timeout
	}
	for _, path := range files {
		settings, err := host.FindSettings(path)
		if err != nil {
			return p, err
		}
		prices := settings.Prices
		known := func(o host.ProjectPrices) bool { return o.File == prices.File }
		if prices.File != "" && !slices.ContainsFunc(p.ProjectPrices, known) {
			p.ProjectPrices = append(p.ProjectPrices, prices)
		}
	}
	if s.Prices == "" {
		return p, nil
	}
	var err error
	if p.Prices, err = host.ReadPrices(s.Prices); err != nil {
		return p, fmt.Errorf("--prices: %w", err)
	}
	return p, nil
}

// Host returns the ports as those of a run. Without exec, programs that grade are not run.
func (p *Ports) Host() run.Host {
	return run.Host{
		Plan: p.Plan, OpenTarget: p.OpenTarget, OpenJudge: p.OpenJudge, OpenModerator: p.OpenModerator, Schema: host.ValidateSchema, Clock: time.Now,
		Exec: func(evalFile string) grade.Exec {
			return process.ProgramExec(evalFile, cmp.Or(p.Timeout, defaultTimeout))
		},
		Sandbox: func(evalFile string) (grade.Exec, func()) {
			limits := sandbox.Defaults
			limits.Time = cmp.Or(p.Timeout, limits.Time)
			box := sandbox.New(limits, wasi.CacheFolder())
			return process.SandboxExec(evalFile, box), func() { box.Close() }
		},
	}
}

func (p *Ports) providerClient() *provider.Client {
	p.once.Do(func() {
		p.client = provider.NewClient(cmp.Or(p.Timeout, defaultTimeout), p.Limits)
		p.client.Ledger = p.ledger
	})
	return p.client
}

// Share makes processes share their limits by a ledger. It is called before anything is opened.
func (p *Ports) Share(ledger judge.Ledger) {
	p.ledger = ledger
	p.Budget.Spending.Ledger, p.Budget.Spending.Name = ledger, "spending"
	p.Limit.Count.Ledger, p.Limit.Count.Name = ledger, "calls"
}

// OpenJudge opens a judge for an eval file by its name; see [wire.JudgeNames]. A target can be a judge: a
// model receives a system prompt and a schema, a command both in its prompt.
func (p *Ports) OpenJudge(ctx context.Context, evalFile, name string) (opened run.OpenedJudge, err error) {
	kind, rest, cut := strings.Cut(name, ":")
	if err := wire.CheckJudge(name); err != nil {
		return opened, err
	} else if cut && kind == "replay" {
		opened.Judge, opened.Names, err = resultstore.ReadReplay(rest)
		return opened, err
	}
	d, err := p.lookup(ctx, evalFile, name)
	opened.Names, opened.Access = []string{cmp.Or(d.Name, name)}, d.access
	switch {
	case !cut && d.file == "":
		return opened, fmt.Errorf("there is no judge `%s`, and no targets.yaml that could define it; it is %s", name, wire.JudgeNames())
	case err != nil:
		return opened, err
	case d.model != nil:
		p.noteIgnoredVariables(d)
		opened.Judge, err = p.modelJudge(*d.model)
		return opened, err
	case cut:
		opened.Judge, err = p.chargeCommand(judge.Func(d.command.ask))
		return opened, err
	}
	d.Batching = false // its questions are not known in advance
	target, err := p.open(ctx, d)
	if err != nil {
		return opened, err
	}
	opened.Judge, err = p.chargeCommand(judge.Func(func(ctx context.Context, q judge.Question) (judge.Answer, error) {
		question := strings.TrimSpace(q.System + "\n\n" + q.User)
		answer, err := target(ctx, &rubric.Case{ID: "judge", Question: question, Input: []rubric.Message{{Role: "user", Content: question}}})
		return judge.Answer{Text: answer.Answer, Model: d.Name}, err
	}))
	return opened, err
}

// chargeCommand wraps a judge that is a command, whose cost is unknown.
func (p *Ports) chargeCommand(j judge.Judge) (judge.Judge, error) {
	switch {
	case p.Budget.Max > 0:
		return nil, errors.New("the cost of a command is unknown, so it cannot run under a cost limit")
	case p.Plan != nil:
		return p.Plan.Judge(nil), nil
	}
	return p.applyLimit(p.Budget.Charge(j, nil)), nil
}

func (p *Ports) applyLimit(j judge.Judge) judge.Judge {
	if p.Limit.Max <= 0 {
		return j
	}
	return p.Limit.Wrap(j)
}

// modelJudge returns a judge that asks a model what is not in the cache.
func (p *Ports) modelJudge(m provider.Model) (judge.Judge, error) {
	model, rate, err := p.chargedModel(m)
	if err != nil {
		return nil, err
	}
	model = p.applyLimit(model)
	if p.Plan != nil {
		model = p.Plan.Judge(rate)
	}
	if p.Cache == nil {
		return model, nil
	}
	onJudgement, store := p.OnJudgement, p.Cache
	if onJudgement == nil {
		onJudgement = func(bool, error) {}
	}
	if p.Plan != nil {
		store = &planStore{Store: store}
		onJudgement = func(cached bool, _ error) {
			if cached {
				p.Plan.AddCached()
			}
		}
	}
	return judge.Cache(model, m.Identity(), store, onJudgement), nil
}

// planStore is a store that a plan leaves as it is. It knows the questions that the plan has counted,
// because a run would find their answers.
type planStore struct {
	judge.Store
	planned sync.Map // judge.Answer by key
}

// Get returns the answer to a counted question, or else that of the store.
func (ps *planStore) Get(key string) (judge.Answer, bool, error) {
	if a, counted := ps.planned.Load(key); counted {
		return a.(judge.Answer), true, nil
	}
	return ps.Store.Get(key)
}

// Put counts a question.
func (ps *planStore) Put(key string, a judge.Answer) error {
	ps.planned.Store(key, a)
	return nil
}

// chargedModel returns a model that charges the budget, and its rate.
func (p *Ports) chargedModel(m provider.Model) (judge.Judge, *run.Rate, error) {
	model := p.providerClient().Judge(m)
	rate, err := p.lookupRate(m)
	if err == nil {
		var charges *price.Rate
		if rate != nil {
			charges = &rate.Rate
			if rate.File != "" && p.Plan == nil { // a plan shows the file with the cost
				p.noteOnce("prices from " + rate.File)
			}
		}
		model = p.Budget.Charge(model, charges)
	}
	return model, rate, err
}

// noteIgnoredVariables notes variables of .env files that are ignored for a definition.
func (p *Ports) noteIgnoredVariables(d definition) {
	if p.OnNote == nil || d.file == "" || d.mock != nil {
		return
	}
	for _, note := range ReadEnvFiles(d.file).Notes {
		p.noteOnce(note)
	}
}

func (p *Ports) noteOnce(note string) {
	if _, noted := p.noted.LoadOrStore(note, true); !noted && p.OnNote != nil {
		p.OnNote(note)
	}
}

// ProviderTable lists the providers with their environment variables, one line each.
func ProviderTable() string {
	var out strings.Builder
	for _, p := range wire.Providers() {
		fmt.Fprintf(&out, "  %-17s %s\n", p.Name, strings.Join(append(slices.Clone(p.KeyVars[:1]), p.BaseVars...), ", "))
	}
	return out.String()
}
