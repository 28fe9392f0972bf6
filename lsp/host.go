package lsp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// Host is who runs and reaches what a person asks to be run from the editor. The
// language server does none of that itself, so what is nil here cannot happen;
// of a session that is not trusted, most of it is.
type Host struct {
	// OpenJudge opens a judge by its name in the settings, for a file. It may start a
	// program or open a connection when it is asked; close is called after the
	// last question.
	OpenJudge func(ctx context.Context, evalFile, name string) (j judge.Judge, closing func(), err error)
	// ListJudges are names that Judge takes and that somebody could answer to who can be
	// told without asking: MODEL stands for a model's name.
	ListJudges func() []string
	// OpenTarget opens a target by its name in the settings, for a file, and may look
	// whether it is well.
	OpenTarget func(ctx context.Context, evalFile, name string) (run.Target, error)
	// OpenModerator opens an endpoint that looks for harm in texts, by its name in the
	// settings.
	OpenModerator func(ctx context.Context, name string) (metric.Moderate, error)
	// Exec runs the graders of a file that are programs.
	Exec func(evalFile string) grade.Exec
	// Sandbox runs those that are WebAssembly; closing gives up what it holds.
	Sandbox func(evalFile string) (box grade.Exec, closing func())
	// Schema applies the JSON Schemas of graders.
	Schema grade.ValidateSchema
	// LoadFiles puts the text of the files that a suite refers to into the suite, and
	// tells which cannot be read.
	LoadFiles func(evalFile string, suite *rubric.Suite) (problems []string)
	// WriteReport writes what the cases of a file came to as a page of HTML that loads
	// and runs nothing.
	WriteReport func(w io.Writer, suite, path string, records []run.Record) error
	// Clock stamps results; nil for none.
	Clock func() time.Time
}

var errNotTrusted = errors.New("nothing is run: this workspace is not trusted")

// What needs no host, besides the offline judge.
const (
	editorJudgeName = "editor" // the judge that is the editor's own model
	selfTargetName  = "self"   // the target that answers what the file expects
)

// openModerator is the endpoint of a name; nil for none, where the judge is asked.
func (h Host) openModerator(ctx context.Context, name string) (metric.Moderate, error) {
	switch {
	case name == "":
		return nil, nil
	case h.OpenModerator == nil:
		return nil, fmt.Errorf("the moderation endpoint `%s` cannot be asked from here", name)
	}
	return h.OpenModerator(ctx, name)
}

// permittedHost is what may be run for the session's client. Where that is not trusted, it
// is what reads, and what shuts in whatever it runs, if that.
func (s *snapshot) permittedHost() (Host, error) {
	host := s.session.server.Host
	switch {
	case s.client.isTrusted:
		return host, nil
	case s.RunSettings.SandboxedGraders && !s.session.server.Remote:
		return Host{Sandbox: host.Sandbox, Schema: host.Schema, LoadFiles: host.LoadFiles, Clock: host.Clock}, nil
	}
	return Host{}, errNotTrusted
}
