package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/offline"
)

// methodAsk asks the client for its own model's answer.
const methodAsk = "rubric/ask"

// modelTimeout is how long the client's model may take for one answer.
const modelTimeout = 2 * time.Minute

// askParams is a question; schema is the JSON Schema of the reply.
type askParams struct {
	System string          `json:"system"`
	User   string          `json:"user"`
	Schema protocol.LSPAny `json:"schema,omitzero"`
}

// askResult is what the model says, which it is, and what it took, as far as that
// is known.
type askResult struct {
	Text  string      `json:"text"`
	Model string      `json:"model"`
	Usage judge.Usage `json:"usage"`
}

// editorJudge is the editor's own model as a judge.
func (c *client) editorJudge() judge.Judge {
	return judge.Func(func(ctx context.Context, q judge.Question) (judge.Answer, error) {
		ctx, cancel := context.WithTimeout(ctx, modelTimeout)
		defer cancel()
		params := &askParams{System: q.System, User: q.User}
		if json.Valid(q.Schema) {
			params.Schema = protocol.LSPAny(q.Schema)
		}
		var result askResult
		if err := c.call(ctx, methodAsk, params, &result); err != nil {
			return judge.Answer{}, fmt.Errorf("the editor's model %w: %w", judge.ErrUnreachable, err)
		}
		return judge.Answer{Text: strings.Clone(result.Text), Model: strings.Clone(result.Model), Usage: result.Usage}, nil
	})
}

// openJudge opens a judge by its name in the settings.
func (s *session) openJudge(ctx context.Context, host Host, c *client, path, name string) (j judge.Judge, closeJudge func(), err error) {
	noop := func() {}
	switch {
	case name == offline.Name:
		return offline.Judge{}, noop, nil
	case name == editorJudgeName && !c.hasModel:
		return nil, nil, errors.New("the judge `editor` is the editor's own model, and this editor offers none")
	case name == editorJudgeName:
		return c.editorJudge(), noop, nil
	case host.OpenJudge == nil:
		return nil, nil, fmt.Errorf("the judge `%s` cannot be asked from here; there are `%s` and `%s`", name, offline.Name, editorJudgeName)
	}
	return host.OpenJudge(withKeyClient(ctx, c), path, name)
}
