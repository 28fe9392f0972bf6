package run

import (
	"slices"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/score"
)

// Settings says how cases run: who answers, who judges, how often and within which limits. The
// table [Options] describes its fields. Hosts fill it with [Option.Set], which checks each value
// and remembers that it was set. [Settings.Or] combines sources: flags, a project's settings, what
// the eval file names, and last the defaults.
type Settings struct {
	Targets     []string `option:"target"`  // names of targets
	TargetsFile string   `option:"targets"` // where targets are defined; "" means the nearest targets.yaml
	Prompts     []string `option:"prompt"`  // each the path of a file, or a text; see [Prompt]
	Judges      []string `option:"judge"`   // names of judges; several form a panel
	Replay      string   `option:"replay"`  // a recording that replaces the judges
	Record      string   `option:"record"`  // the file that receives a recording

	Trials    int           `option:"trials"` // runs of each case; 0 for as many as its file says
	Samples   int           `option:"samples"`
	Workers   int           `option:"workers"`
	Profile   score.Profile `option:"profile"`
	Threshold float64       `option:"threshold"`
	Timeout   time.Duration `option:"timeout"` // of one answer

	MaxCalls int     `option:"max-calls"` // 0 means no limit, here and below
	MaxCost  float64 `option:"max-cost"`  // in US dollars
	RPM      int     `option:"rpm"`       // requests to a provider per minute
	TPM      int     `option:"tpm"`       // tokens of a provider per minute
	Prices   string  `option:"prices"`    // a file of prices
	NoCache  bool    `option:"no-cache"`
	Cache    string  `option:"cache"` // the folder or the address of the judgement cache; "" means the user's

	MinPassRates []string `option:"min-pass-rate"` // see [Settings.Minimums]
	MinMeans     []string `option:"min-mean"`
	MaxWarnings  int      `option:"max-warnings"` // without a limit unless it is set

	AllowExec        bool `option:"allow-exec"`
	SandboxedGraders bool `option:"sandboxed-graders"`

	// The others apply only to ADK files.

	Config     string         `option:"config"`     // the file that configures the metrics
	Recorded   []string       `option:"recorded"`   // files of recorded conversations
	Metrics    []string       `option:"metric"`     // names of metrics; none selects all
	ADK        metric.Profile `option:"adk"`        // "" means that of the project, or else the latest
	Moderation string         `option:"moderation"` // the endpoint that judges safety; "" means the judge

	set uint64 // a bit for each option that was set, by its position in options
}

// Names of a target and a judge in settings. See also [offline.Name].
const (
	SelfTargetName  = "self"   // [SelfTarget]: the file's own expected output
	EditorJudgeName = "editor" // the editor's own model
)

// AgentPrefix begins the name of a target that is a running agent: the address of its server follows.
const AgentPrefix = "adk:"

// AsksAgent reports whether a target is a running agent, which can hold the conversations of evalsets.
// For other targets, recorded conversations are measured. isAgent, if not nil, says so of names that have
// not the prefix.
func (s Settings) AsksAgent(isAgent func(name string) bool) bool {
	return slices.ContainsFunc(s.Targets, func(name string) bool {
		return strings.HasPrefix(name, AgentPrefix) || isAgent != nil && name != SelfTargetName && isAgent(name)
	})
}

// DefaultSettings returns the values of options that are not set.
func DefaultSettings() Settings {
	return Settings{
		Targets: []string{SelfTargetName}, Judges: []string{offline.Name},
		Samples: 1, Workers: 3, Profile: score.Spec, Timeout: 2 * time.Minute,
	}
}

// IsSet reports whether the option called name was set.
func (s Settings) IsSet(name string) bool { return s.set&bitOf(name) != 0 }

// Or returns s, with other's values for options that only other sets.
func (s Settings) Or(other Settings) Settings {
	for i, o := range options {
		if bit := uint64(1) << i; other.set&bit != 0 && s.set&bit == 0 {
			o.copyField(&s, &other)
			s.set |= bit
		}
	}
	return s
}

// WithDefaults returns s, with [DefaultSettings] for options that are not set. They remain not set,
// because definitions of targets override defaults.
func (s Settings) WithDefaults() Settings {
	defaults := DefaultSettings()
	for i, o := range options {
		if s.set&(1<<i) == 0 {
			o.copyField(&s, &defaults)
		}
	}
	return s
}

// Untrusted returns s without the options that can run programs or reach a network. The target is
// self and the judge offline, whatever files name.
func (s Settings) Untrusted() Settings {
	for _, o := range options {
		if o.NeedsTrust && o.Name != "sandboxed-graders" {
			s = s.Unset(o.Name)
		}
	}
	s.set |= bitOf("target") | bitOf("judge")
	return s
}

// Unset returns s without the options of these names.
func (s Settings) Unset(names ...string) Settings {
	for _, name := range names {
		s.set &^= bitOf(name)
	}
	return s.WithDefaults()
}
