package run

import (
	"context"
	"io"
	"time"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/metric"
)

// Host is what a run needs of the world. A nil function means that the host cannot do it: a page
// starts no programs, and a language server offers nothing of this in an untrusted folder.
//
// Names are those of [Settings]. [Open] resolves the ones that need no host, such as `self`,
// `mock:TEXT` and `offline`, and leaves all others to the host. The file is the eval file's path.
type Host struct {
	// OpenTarget opens a target. It may check that the target works.
	OpenTarget func(ctx context.Context, evalFile, name string) (OpenedTarget, error)
	// OpenJudge opens a judge. Asking it may start a program or open a connection.
	OpenJudge func(ctx context.Context, evalFile, name string) (OpenedJudge, error)
	// OpenModerator opens a moderation endpoint.
	OpenModerator func(ctx context.Context, name string) (metric.Moderate, error)
	// Exec returns the runner of a file's program graders.
	Exec func(evalFile string) grade.Exec
	// Sandbox returns the runner of a file's WebAssembly graders. Closing releases its resources.
	Sandbox func(evalFile string) (box grade.Exec, closing func())
	// Schema applies the JSON Schemas of graders.
	Schema grade.ValidateSchema
	// Plan, if not nil, says that nothing is to be asked: targets answer nothing, and judges are
	// those of [Plan.Judge]. The host must then contact nothing, and needs no keys.
	Plan *Plan
	// Recorder receives the questions to judges and their replies; nil for no recording.
	Recorder io.Writer
	// Clock stamps records; nil for no time stamps.
	Clock func() time.Time
}

// OpenedTarget is a target that a host has opened.
type OpenedTarget struct {
	Target  Target
	Agent   metric.OpenSession // opens the sessions of whole conversations; nil for targets that answer single cases
	Name    string             // for records; without secrets
	Judge   string             // the judge that its definition names, or ""
	Workers int                // cases at a time that its definition asks for; 0 if it does not say
	Fixed   bool               // its answers are the same, whatever it is asked
	Access  Access
	// Fallbacks are the targets that its definition names to answer in its place if it fails.
	Fallbacks []string
}

// OpenedJudge is a judge that a host has opened.
type OpenedJudge struct {
	Judge  judge.Judge
	Names  []string // for records, without secrets; several for the recording of a panel
	Access Access
	Close  func() // is called after the last question; nil if there is nothing to do
}

// Access lists what asking a target or a judge reaches. It names variables and never shows their
// values. Plans show it, and a user consents to it.
type Access struct {
	File    string   `json:"-"`                 // the file that defines the target; "" for a name that needs no definition
	Host    string   `json:"host,omitempty"`    // with `http://` if requests cross the network unencrypted
	Key     string   `json:"key,omitempty"`     // where the key is from
	Sends   []string `json:"sends,omitempty"`   // other variables in the requests, with their setting
	Command string   `json:"command,omitempty"` // the program that runs
	Health  string   `json:"health,omitempty"`  // host of the healthcheck
}

// String describes the access, as the predicate of a sentence; it is "" if nothing is reached.
func (a Access) String() string {
	var does []string
	if a.Command != "" {
		does = append(does, "runs `"+a.Command+"`")
	}
	if a.Health != "" {
		does = append(does, "asks "+a.Health+" whether it is ready")
	}
	if a.Host != "" {
		with := "without a key"
		if a.Key != "" {
			with = "with " + a.Key
		}
		does = append(does, "asks "+a.Host+" "+with)
	}
	if len(a.Sends) > 0 {
		does = append(does, "sends "+diag.JoinList(a.Sends, "and"))
	}
	return diag.JoinList(does, "and")
}
