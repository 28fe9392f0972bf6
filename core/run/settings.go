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
	Targets     []string // names of targets
	TargetsFile string   // where targets are defined; "" means the nearest targets.yaml
	Prompts     []string // each the path of a file, or a text; see [Prompt]
	Judges      []string // names of judges; several form a panel
	Replay      string   // a recording that replaces the judges
	Record      string   // the file that receives a recording

	Trials    int // runs of each case; 0 for as many as its file says
	Samples   int
	Workers   int
	Profile   score.Profile
	Threshold float64
	Timeout   time.Duration // of one answer

	MaxCalls int     // 0 means no limit, here and below
	MaxCost  float64 // in US dollars
	RPM      int     // requests to a provider per minute
	TPM      int     // tokens of a provider per minute
	Prices   string  // a file of prices
	NoCache  bool
	Cache    string // the folder or the address of the judgement cache; "" means the user's

	MinPassRates []string // see [Settings.Minimums]
	MinMeans     []string
	MaxWarnings  int // without a limit unless it is set

	AllowExec        bool
	SandboxedGraders bool

	// The others apply only to ADK files.

	Config     string         // the file that configures the metrics
	Recorded   []string       // files of recorded conversations
	Metrics    []string       // names of metrics; none selects all
	ADK        metric.Profile // "" means that of the project, or else the latest
	Moderation string         // the endpoint that judges safety; "" means the judge

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
