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
	// Judge opens a judge by its name in the settings, for a file. It may start a
	// program or open a connection when it is asked; close is called after the
	// last question.
	Judge func(ctx context.Context, evalFile, name string) (j judge.Judge, closing func(), err error)
	// Judges are names that Judge takes and that somebody could answer to who can be
	// told without asking: MODEL stands for a model's name.
	Judges func() []string
	// Target opens a target by its name in the settings, for a file, and may look
	// whether it is well.
	Target func(ctx context.Context, evalFile, name string) (run.Target, error)
	// Moderator opens an endpoint that looks for harm in texts, by its name in the
	// settings.
	Moderator func(ctx context.Context, name string) (metric.Moderate, error)
	// Exec runs the graders of a file that are programs.
	Exec func(evalFile string) grade.Exec
	// Sandbox runs those that are WebAssembly; closing gives up what it holds.
	Sandbox func(evalFile string) (box grade.Exec, closing func())
	// Schema applies the JSON Schemas of graders.
	Schema grade.Schema
	// Fill puts the text of the files that a suite refers to into the suite, and
	// tells which cannot be read.
	Fill func(evalFile string, suite *rubric.Suite) (problems []string)
	// Report writes what the cases of a file came to as a page of HTML that loads
	// and runs nothing.
	Report func(w io.Writer, suite, path string, records []run.Record) error
	// Clock stamps results; nil for none.
	Clock func() time.Time
}

var errNotTrusted = errors.New("nothing is run: this workspace is not trusted")

// What needs no host, besides the offline judge.
const (
	editorName = "editor" // the judge that is the editor's own model
	selfName   = "self"   // the target that answers what the file expects
)

// moderate is the endpoint of a name; nil for none, where the judge is asked.
func (h Host) moderate(ctx context.Context, name string) (metric.Moderate, error) {
	switch {
	case name == "":
		return nil, nil
	case h.Moderator == nil:
		return nil, fmt.Errorf("the moderation endpoint `%s` cannot be asked from here", name)
	}
	return h.Moderator(ctx, name)
}

// allowed is what may be run for the session's client. Where that is not trusted, it
// is what reads, and what shuts in whatever it runs, if that.
func (at *Snapshot) allowed() (Host, error) {
	host := at.session.server.Host
	switch {
	case at.client.trusted:
		return host, nil
	case at.Running.SandboxedGraders && !at.session.server.Remote:
		return Host{Sandbox: host.Sandbox, Schema: host.Schema, Fill: host.Fill, Clock: host.Clock}, nil
	}
	return Host{}, errNotTrusted
}
