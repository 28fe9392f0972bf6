package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host/provider"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/judge/price"
	"github.com/rubric-ls/rubric/core/judge/wire"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/spell"
)

// Ports opens judges and targets by the names that people give them. Nothing is
// connected to before it is asked, healthchecks aside.
type Ports struct {
	// Timeout is the most time for one answer, and wins over what a definition
	// says; 0 leaves it to that, or to two minutes.
	Timeout time.Duration
	Limits  provider.Limits // of models that have none of their own

	// Key gives the key that somebody holds under the name of a provider's
	// variable, "" for none; nil: only the environment of the process holds keys.
	Key func(ctx context.Context, name string) string

	// Cache keeps what models judge; nil keeps nothing. Commands are not kept:
	// what they depend on is not known. Told, if there is one, hears of every
	// judgement whether it was kept, and of a cache that fails.
	Cache       judge.Store
	OnJudgement func(kept bool, err error)

	// Limit is put before every model and command that judges, but not before
	// what the cache knows; nil: there is none.
	Limit func(judge.Judge) judge.Judge

	// Budget notes what models cost, as judges and as targets; nil: nobody does.
	// Prices are those that the person names, and win over all others.
	Budget        *price.Budget
	Prices        price.Table
	ProjectPrices []ProjectPrices

	// PlanJudge judges in the place of every model and command, which has a rate or
	// none that is known, and the targets that are either say nothing, so that a
	// plan can be made without asking anyone; nil: all are asked themselves.
	PlanJudge func(*Rate) judge.Judge

	// OnNote hears, once each, what a person should know of the targets that are
	// opened; nil: nobody does.
	OnNote func(string)

	noted  sync.Map
	once   sync.Once
	client *provider.Client
}

// providerClient is the one client that all models are asked by.
func (p *Ports) providerClient() *provider.Client {
	p.once.Do(func() { p.client = provider.NewClient(cmp.Or(p.Timeout, defaultTimeout), p.Limits) })
	return p.client
}

// judgeKinds are what names of judges begin with before a colon.
func judgeKinds() []string { return append([]string{"cli", "replay"}, providerNames()...) }

// JudgeNames says what [Ports.Judge] takes, for messages.
func JudgeNames() string {
	return "`offline`, `cli:COMMAND`, `replay:FILE`, PROVIDER:MODEL with one of " + diag.JoinList(diag.Backtick(providerNames()), "and") + ", or the name of a target in targets.yaml"
}

// OpenJudge opens a judge by its name: one of [JudgeNames]. A target is looked for in
// the targets file given, or the nearest to the eval file. The name that is given
// back is what records say.
func (p *Ports) OpenJudge(ctx context.Context, name, evalFile, targetsFile string) (judge.Judge, string, error) {
	kind, rest, cut := strings.Cut(name, ":")
	found, isProvider := wire.FindProvider(kind)
	timeout := cmp.Or(p.Timeout, defaultTimeout)
	switch {
	case name == offline.Name:
		return judge.Func(func(ctx context.Context, q judge.Question) (judge.Answer, error) {
			ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("timed out after %s", timeout))
			defer cancel()
			return offline.Judge{}.Ask(ctx, q)
		}), name, nil
	case !cut:
		j, err := p.targetJudge(ctx, name, evalFile, targetsFile)
		return j, name, err
	case kind == "cli":
		if strings.TrimSpace(rest) == "" {
			return nil, name, errors.New("there is no command")
		}
		j, err := p.chargeCommand(CommandJudge{Line: rest, Timeout: timeout, Keys: EnvFileKeys(evalFile)})
		return j, RedactCommand(name, evalFile), err
	case kind == "replay":
		replay, names, err := ReadReplay(rest)
		if len(names) > 1 { // of a panel, who is not asked as one
			names = replayNames(rest)
		}
		return replay, names[0], err
	case isProvider:
		m := environmentModel(found, rest, p.keyLookup(ctx))
		if err := checkModel(m); err != nil {
			return nil, name, err
		}
		j, err := p.modelJudge(m)
		return j, name, err
	}
	return nil, name, fmt.Errorf("there is no judge `%s`%s", name, spell.DidYouMeanOr(kind, judgeKinds(), "it is "+JudgeNames()))
}

// targetJudge has what a targets file defines judge: a model is told who it is
// and the form of its reply, a command gets both in its prompt.
func (p *Ports) targetJudge(ctx context.Context, name, evalFile, targetsFile string) (judge.Judge, error) {
	t, path, err := FindTarget(evalFile, targetsFile, name)
	if path == "" {
		return nil, fmt.Errorf("there is no judge `%s`, and no targets.yaml that could define it; it is %s", name, JudgeNames())
	}
	if err != nil {
		return nil, err
	}
	if found, ok := wire.FindProvider(t.Provider); ok {
		p.noteIgnoredVariables(path)
		m, err := p.targetModel(ctx, t, found)
		if err != nil {
			return nil, fmt.Errorf("%s: target `%s`: %w", path, t.Name, err)
		}
		return p.modelJudge(m)
	}
	t.Batching = false // its questions are not known before
	target, err := p.OpenTarget(ctx, t, path)
	if err != nil {
		return nil, err
	}
	return p.chargeCommand(judge.Func(func(ctx context.Context, q judge.Question) (judge.Answer, error) {
		answer, err := target(ctx, judgeCase(q))
		return judge.Answer{Text: answer.Answer, Model: t.Name}, err
	}))
}

// chargeCommand runs a command, of which nobody knows what it costs.
func (p *Ports) chargeCommand(j judge.Judge) (judge.Judge, error) {
	switch {
	case p.Budget != nil && p.Budget.Max > 0:
		return nil, errors.New("what a command costs is not known, so that no limit can be kept")
	case p.PlanJudge != nil:
		return p.PlanJudge(nil), nil
	case p.Budget != nil:
		j = p.Budget.Charge(j, nil)
	}
	return p.applyLimit(j), nil
}

func (p *Ports) applyLimit(j judge.Judge) judge.Judge {
	if p.Limit == nil {
		return j
	}
	return p.Limit(j)
}

// modelJudge asks a model what the cache does not know.
func (p *Ports) modelJudge(m provider.Model) (judge.Judge, error) {
	model, rate, err := p.chargedModel(m)
	if err != nil {
		return nil, err
	}
	model = p.applyLimit(model)
	if p.PlanJudge != nil {
		model = p.PlanJudge(rate)
	}
	if p.Cache == nil {
		return model, nil
	}
	onJudgement := p.OnJudgement
	if onJudgement == nil {
		onJudgement = func(bool, error) {}
	}
	return judge.Cache(model, m.Identity(), p.Cache, onJudgement), nil
}

// chargedModel is a model whose cost is noted, and its rate.
func (p *Ports) chargedModel(m provider.Model) (judge.Judge, *Rate, error) {
	model := p.providerClient().Judge(m)
	rate, err := p.lookupRate(m)
	if err == nil && p.Budget != nil {
		var charges *price.Rate
		if rate != nil {
			charges = &rate.Rate
			if rate.File != "" && p.PlanJudge == nil { // a plan tells it with the cost
				p.noteOnce("prices from " + rate.File)
			}
		}
		model = p.Budget.Charge(model, charges)
	}
	return model, rate, err
}

// targetModel is the model of a target, within the time that the caller allows.
func (p *Ports) targetModel(ctx context.Context, t agentv.Target, found wire.Provider) (provider.Model, error) {
	m, err := parseTargetModel(t, found, p.keyLookup(ctx))
	m.Timeout = cmp.Or(p.Timeout, m.Timeout)
	return m, err
}

// OpenTarget makes a target that [FindTarget] found ready to be asked. An error
// names the targets file and wraps [judge.ErrUnreachable] when the target is well
// defined and does not answer its healthcheck.
func (p *Ports) OpenTarget(ctx context.Context, t agentv.Target, targetsFile string) (run.Target, error) {
	open := p.connectTarget
	if p.PlanJudge != nil {
		open = planTarget
	}
	if t.Provider != "mock" {
		p.noteIgnoredVariables(targetsFile)
	}
	target, err := open(ctx, t)
	if err != nil {
		return nil, fmt.Errorf("%s: target `%s`%w", targetsFile, t.Name, err)
	}
	return target, nil
}

// noteIgnoredVariables notes the variables of .env files that are ignored for a targets file.
func (p *Ports) noteIgnoredVariables(targetsFile string) {
	if p.OnNote == nil {
		return
	}
	for _, note := range ReadEnvFiles(targetsFile).Notes {
		p.noteOnce(note)
	}
}

func (p *Ports) noteOnce(note string) {
	if _, noted := p.noted.LoadOrStore(note, true); !noted && p.OnNote != nil {
		p.OnNote(note)
	}
}

// ProviderTable lists the providers with the variables they are set up by, a
// line each.
func ProviderTable() string {
	var out strings.Builder
	for _, p := range wire.Providers() {
		fmt.Fprintf(&out, "  %-17s %s\n", p.Name, strings.Join(append(slices.Clone(p.KeyVars[:1]), p.BaseVars...), ", "))
	}
	return out.String()
}
