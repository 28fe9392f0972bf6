package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/offline"
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
	return Host{}, errors.New("nothing is run: this workspace is not trusted")
}

// Disk is the server's access to files.
type Disk = cache.Disk

// ProjectSettings are the settings of a project that apply to a file.
type ProjectSettings = cache.ProjectSettings

// methodAsk sends a question to the client's own model.
const methodAsk = "rubric/ask"

// modelTimeout limits one answer of the client's model.
const modelTimeout = 2 * time.Minute

// askParams is a question. Schema is the JSON Schema of the reply.
type askParams struct {
	System string          `json:"system"`
	User   string          `json:"user"`
	Schema protocol.LSPAny `json:"schema,omitzero"`
}

// askResult is the model's reply, with the model's name and its token usage if known.
type askResult struct {
	Text  string      `json:"text"`
	Model string      `json:"model"`
	Usage judge.Usage `json:"usage"`
}

// editorJudge returns the editor's own model as a judge.
func editorJudge(c *cache.Client) judge.Judge {
	return judge.Func(func(ctx context.Context, q judge.Question) (judge.Answer, error) {
		ctx, cancel := context.WithTimeout(ctx, modelTimeout)
		defer cancel()
		params := &askParams{System: q.System, User: q.User}
		if json.Valid(q.Schema) {
			params.Schema = protocol.LSPAny(q.Schema)
		}
		var result askResult
		if err := c.Call(ctx, methodAsk, params, &result); err != nil {
			return judge.Answer{}, fmt.Errorf("the editor's model %w: %w", judge.ErrUnreachable, err)
		}
		return judge.Answer{Text: strings.Clone(result.Text), Model: strings.Clone(result.Model), Usage: result.Usage}, nil
	})
}

// withEditor returns the host of a run for a client, whose model is the judge `editor`.
func (h Host) withEditor(c *cache.Client) run.Host {
	ports := h.Host
	ports.OpenJudge = func(ctx context.Context, evalFile, name string) (run.OpenedJudge, error) {
		switch {
		case ports.Plan != nil && (name == run.EditorJudgeName || h.OpenJudge == nil):
			return run.OpenedJudge{Judge: ports.Plan.Judge(nil)}, nil
		case name == run.EditorJudgeName && !c.HasModel:
			return run.OpenedJudge{}, errors.New("`editor` is the editor's own model, but this editor offers none; choose another `rubric.judge`")
		case name == run.EditorJudgeName:
			return run.OpenedJudge{Judge: editorJudge(c)}, nil
		case h.OpenJudge == nil:
			return run.OpenedJudge{}, fmt.Errorf("`%s` is not available here; choose `%s` or `%s`", name, offline.Name, run.EditorJudgeName)
		}
		return h.OpenJudge(ctx, evalFile, name)
	}
	return ports
}

// methodKey asks the client for a stored API key, by the name of the environment variable that the key belongs
// in. The server does not store it.
const methodKey = "rubric/key"

// keyClient is the context key of the client that is asked for API keys.
type keyClient struct{}

// withKeyClient lets a host ask the client for keys, if the client stores any.
func withKeyClient(ctx context.Context, c *cache.Client) context.Context {
	if !c.HasKeys {
		return ctx
	}
	return context.WithValue(ctx, keyClient{}, c)
}

// ClientKey returns the API key that the client stores under name, or "". Ctx must be one that the
// server passed to a [Host].
func ClientKey(ctx context.Context, name string) string {
	c, ok := ctx.Value(keyClient{}).(*cache.Client)
	if !ok {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, cache.CallTimeout)
	defer cancel()
	var result struct {
		Key string `json:"key"` // "" if the client has none
	}
	if err := c.Call(ctx, methodKey, map[string]string{"name": name}, &result); err != nil {
		return ""
	}
	return strings.Clone(result.Key) // the decoded string is a part of the message
}

// methodJudges lists the judges that are available, before anything runs.
const methodJudges = "rubric/judges"

// judgesResult holds names for the setting rubric.judge. MODEL stands for a model's name.
type judgesResult struct {
	Judges []string `json:"judges"`
}

func listJudges(_ context.Context, s *snapshot, _ *noParams) (*judgesResult, error) {
	result := &judgesResult{Judges: []string{offline.Name}}
	if host, err := s.permittedHost(); err == nil && host.ListJudges != nil {
		result.Judges = append(result.Judges, host.ListJudges()...)
	}
	return result, nil
}
