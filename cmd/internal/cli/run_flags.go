package cli

import (
	"time"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/score"
)

// declareFlags declares the flags of every verb that has cases answered and judged.
func (o *runOptions) declareFlags(flags *pflag.FlagSet) {
	flags.StringArrayVar(&o.cases, "case", nil, "only the cases with this id or pattern (may be repeated)")
	flags.StringVar(&o.target, "target", "self", "who answers: self, mock:TEXT, cli:COMMAND, a JSONL file, or a name in targets.yaml")
	flags.StringVar(&o.targetsFile, "targets", "", "the targets file, instead of the nearest")
	flags.StringArrayVar(&o.judges, "judge", []string{offline.Name}, "who grades: offline, cli:COMMAND, PROVIDER:MODEL, or a name in targets.yaml; several are a panel")
	flags.StringVar(&o.replay, "replay", "", "answer for the judge from this recording")
	flags.StringVar(&o.record, "record", "", "record the judge's answers in this file")
	flags.IntVar(&o.maxCalls, "max-calls", 0, "the most questions to a judge that is a model or a command; what is left is ungraded; 0: any number")
	flags.Float64Var(&o.maxCost, "max-cost", 0, "the most US dollars to spend on models; what is left is ungraded; 0: any number")
	flags.StringVar(&o.prices, "prices", "", "a file of what models cost, over the prices that are known: {PROVIDER:MODEL: {input, output}} for a million tokens")
	flags.BoolVar(&o.noCache, "no-cache", false, "ask models again what they have judged before, and keep nothing")
	flags.StringVar(&o.profile, "profile", string(score.Spec), "whose arithmetic: spec, or agentv, agentv-4 or agentv-head")
	flags.IntVar(&o.samples, "samples", 1, "how often each judge is asked for each judgement")
	flags.IntVar(&o.workers, "workers", 3, "cases at a time; if given, it wins over a target's own")
	flags.DurationVar(&o.timeout, "timeout", 2*time.Minute, "the most time for one answer; if given, it wins over a target's own")
	flags.IntVar(&o.rpm, "rpm", 0, "the most requests a minute to a provider; 0: any number")
	flags.IntVar(&o.tpm, "tpm", 0, "the most tokens a minute to a provider; 0: any number")
}

// markSetFlags notes which flags a person has set.
func (o *runOptions) markSetFlags(flags *pflag.FlagSet) {
	o.targetSet, o.samplesSet = flags.Changed("target"), flags.Changed("samples")
	o.timeoutSet, o.judgesSet, o.workersSet = flags.Changed("timeout"), flags.Changed("judge"), flags.Changed("workers")
}
