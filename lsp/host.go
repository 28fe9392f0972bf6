package lsp

import (
	"errors"
	"io"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/lsp/internal/cache"
)

// Host runs programs and reaches networks for the server, on the user's request. A nil function
// means that the host cannot do it. Most are withheld from an untrusted session.
type Host struct {
	run.Host
	// ForRun replaces Host for one run, within the limits of its settings, or for a plan of it. It
	// may be nil.
	ForRun func(evalFile string, settings run.Settings, plan *run.Plan) (run.Host, error)
	// ListJudges returns the names that OpenJudge accepts here, as far as the host knows without
	// asking anyone. MODEL stands for a model's name.
	ListJudges func() []string
	// LoadFiles replaces a suite's file references by the text of the files, and its variables by those
	// of the environment. It returns what it cannot read.
	LoadFiles func(evalFile string, suite *rubric.Suite) (problems []string)
	// CheckConsent returns an error unless the user has consented to what the files of an eval file's
	// run name, or does so when asked. The server calls it for clients that do not say whether they
	// trust their workspace; nil means that no consent is stored. Ask is nil if the client cannot ask.
	CheckConsent func(evalFile string, uses []run.Use, ask func() error) error
	// WriteReport writes the results of a file's cases as an HTML page without scripts or external
	// resources.
	WriteReport func(w io.Writer, suite, path string, records []run.Record) error
}

var errNotTrusted = errors.New("nothing is run: this workspace is not trusted")

// permittedHost returns what the session may run. An untrusted session gets an error, or with
// sandboxedGraders the functions that read files and run sandboxed modules.
func (s *snapshot) permittedHost() (Host, error) {
	host := s.session.server.Host
	switch {
	case s.Client.IsTrusted:
		return host, nil
	case s.RunSettings.SandboxedGraders && !s.session.server.Remote:
		return Host{Host: run.Host{Sandbox: host.Sandbox, Schema: host.Schema, Clock: host.Clock}, LoadFiles: host.LoadFiles}, nil
	}
	return Host{}, errNotTrusted
}

// Disk is the server's access to files.
type Disk = cache.Disk

// ProjectSettings are the settings of a project that apply to a file.
type ProjectSettings = cache.ProjectSettings
