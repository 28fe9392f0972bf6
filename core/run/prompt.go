package run

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/spell"
)

// A Prompt is a template for what targets are asked. The last message of the user fills it, and takes its
// place; all other messages stay as they are.
type Prompt struct {
	Name        string // for records
	Fingerprint string // of the text
	text        string
}

// PromptVariables are the names that a prompt may use, as `{{ name }}`.
var PromptVariables = []string{"input", "question", "input_messages"}

var (
	promptPlaceholder = pattern.New(`\{\{([^{}]*)\}\}`)
	errNoUserMessage  = errors.New("the case has no message of the user, which the prompt needs")
)

// NewPrompt returns a prompt. It returns an error for a text that is empty, has an unknown placeholder or would
// ask the same in each case.
func NewPrompt(name, text string) (*Prompt, error) {
	var known []string
	for _, v := range PromptVariables {
		known = append(known, "`{{ "+v+" }}`")
	}
	placeholders := promptPlaceholder().FindAllStringSubmatch(text, -1)
	for _, found := range placeholders {
		switch variable := strings.Trim(found[1], " \t\r\n\f"); {
		case slices.Contains(PromptVariables, variable):
		case slices.Contains(grade.Variables, variable):
			return nil, fmt.Errorf("the prompt `%s` has `%s`, which a target must not see; write %s", name, found[0], known[0])
		default:
			return nil, fmt.Errorf("the prompt `%s` has the unknown placeholder `%s`%s", name, found[0], spell.DidYouMeanOr(variable, PromptVariables, "there are "+diag.JoinList(known, "and")))
		}
	}
	switch {
	case strings.TrimSpace(text) == "":
		return nil, fmt.Errorf("the prompt `%s` is empty", name)
	case len(placeholders) == 0:
		return nil, fmt.Errorf("the prompt `%s` asks the same in each case; write %s where the case's input belongs", name, known[0])
	}
	sum := sha256.Sum256([]byte(text))
	return &Prompt{Name: name, Fingerprint: hex.EncodeToString(sum[:8]), text: text}, nil
}

// wrap returns a target that is asked with the prompt.
func (p *Prompt) wrap(target Target) Target {
	return func(ctx context.Context, c *rubric.Case) (grade.Submission, error) {
		asked, err := p.apply(c)
		if err != nil {
			return grade.Submission{}, err
		}
		return target(ctx, asked)
	}
}

// apply returns the case with the prompt as its question.
func (p *Prompt) apply(c *rubric.Case) (*rubric.Case, error) {
	asked := *c
	fill := func(input string) string {
		text, _ := grade.FillTemplate(p.text, map[string]string{"input": input, "question": input, "input_messages": grade.IndentJSON(c.Input)})
		return strings.TrimSpace(text)
	}
	if len(c.Input) == 0 { // not from a file with messages
		asked.Question = fill(c.Question)
		return &asked, nil
	}
	for i, m := range slices.Backward(c.Input) {
		if m.Role != "user" {
			continue
		}
		only := []rubric.Message{m}
		text := rubric.Part{Text: fill(rubric.ConversationText(only)), Named: fill(rubric.NamedFilesText(only))}
		m.Parts = append([]rubric.Part{text}, m.Attachments()...)
		m.Content = text.Text
		asked.Input = slices.Clone(c.Input)
		asked.Input[i] = m
		asked.Question = rubric.ConversationText(asked.Input)
		return &asked, nil
	}
	return nil, errNoUserMessage
}
