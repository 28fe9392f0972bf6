package run

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/spell"
)

// TargetQuestion returns the question that a case asks a chat model: its messages with their
// roles, and files as texts. It returns an error if a message has a part that is not sent.
func TargetQuestion(c *rubric.Case) (judge.Question, error) {
	if len(c.Input) == 0 { // not from a file with messages
		return judge.Question{User: c.Question}, nil
	}
	w := conversationWriter{hasRoles: rubric.HasRoles(c.Input), question: c.Question}
	for _, m := range c.Input {
		if err := w.add(m); err != nil {
			return judge.Question{}, err
		}
	}
	w.answerCalls()
	if len(w.messages) == 0 {
		return judge.Question{}, errors.New("the case has no text to ask")
	}
	if guidelines := rubric.GuidelineText(c.Input); guidelines != "" {
		w.addGuidelines(guidelines)
	}
	return judge.Question{Messages: w.messages}, nil
}

// conversationWriter makes a conversation that providers accept: each call has an id and exactly
// one answer, and each answer a call.
type conversationWriter struct {
	hasRoles bool
	question string
	messages []judge.Message
	open     []judge.Call // calls without an answer
	calls    int
}

func (w *conversationWriter) add(m rubric.Message) error {
	if slices.ContainsFunc(m.Parts, func(p rubric.Part) bool { return p.Image }) ||
		slices.ContainsFunc(rubric.NewParts(m.Content), func(p rubric.Part) bool { return p.Image }) {
		return fmt.Errorf("a message of the role `%s` has a picture, which is not sent to models", m.Role)
	}
	text := m.Text()
	if !w.hasRoles && text != "" {
		text = w.question
	}
	if m.Role == "tool" {
		w.addToolResult(m.Name, text)
		return nil
	}
	w.answerCalls()
	var called []toolCall // none in what has another form
	if raw, err := json.Marshal(m.ToolCalls); err != nil || json.Unmarshal(raw, &called) != nil {
		called = nil
	}
	if strings.TrimSpace(text) == "" && len(called) == 0 {
		return nil
	}
	out := judge.Message{Role: m.Role, Text: text}
	var results []judge.Message
	for _, c := range called {
		call := w.newCall(c.name(), c.input())
		out.Calls = append(out.Calls, call)
		if c.Output == nil {
			w.open = append(w.open, call)
		} else {
			results = append(results, judge.Message{Role: "tool", Text: JSONText(c.Output), Call: call})
		}
	}
	w.messages = append(append(w.messages, out), results...)
	return nil
}

func (w *conversationWriter) addGuidelines(text string) {
	text = "[[ ## Guidelines ## ]]\n\n" + text
	if first := &w.messages[0]; first.Role == "system" {
		first.Text = text + "\n\n" + first.Text
		return
	}
	w.messages = slices.Insert(w.messages, 0, judge.Message{Role: "system", Text: text})
}

// addToolResult adds the answer to an open call: one of the tool with the name, or the first. If
// none is open, the assistant's message gets a call, because no provider takes an answer alone.
func (w *conversationWriter) addToolResult(name, text string) {
	at := slices.IndexFunc(w.open, func(c judge.Call) bool { return name == "" || c.Tool == name })
	if at < 0 && len(w.open) > 0 {
		at = 0
	}
	if at >= 0 {
		w.messages = append(w.messages, judge.Message{Role: "tool", Text: text, Call: w.open[at]})
		w.open = slices.Delete(w.open, at, at+1)
		return
	}
	call := w.newCall(cmp.Or(name, "tool"), nil)
	last := len(w.messages) - 1
	for last >= 0 && w.messages[last].Role == "tool" {
		last--
	}
	if last < 0 || w.messages[last].Role != "assistant" {
		w.messages = append(w.messages, judge.Message{Role: "assistant"})
		last = len(w.messages) - 1
	}
	w.messages[last].Calls = append(w.messages[last].Calls, call)
	w.messages = append(w.messages, judge.Message{Role: "tool", Text: text, Call: call})
}

// answerCalls answers the calls that the file leaves open with an empty text.
func (w *conversationWriter) answerCalls() {
	for _, call := range w.open {
		w.messages = append(w.messages, judge.Message{Role: "tool", Call: call})
	}
	w.open = nil
}

var unsafeToolName = pattern.New(`[^A-Za-z0-9_-]`)

// newCall returns a call with the next id. Providers restrict the characters of a tool's name.
func (w *conversationWriter) newCall(tool string, input json.RawMessage) judge.Call {
	w.calls++
	tool = unsafeToolName().ReplaceAllString(tool, "_")
	if len(input) == 0 || input[0] != '{' {
		object := json.RawMessage(`{}`)
		if len(input) > 0 && string(input) != "null" {
			object = slices.Concat(json.RawMessage(`{"input":`), input, json.RawMessage(`}`))
		}
		input = object
	}
	return judge.Call{ID: fmt.Sprintf("call_%d", w.calls), Tool: tool[:min(len(tool), 64)], Input: input}
}

// toolCall is a tool call in a file: AgentV's, or OpenAI's.
type toolCall struct {
	Tool     string          `json:"tool"`
	Input    json.RawMessage `json:"input"`
	Output   json.RawMessage `json:"output"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

func (c toolCall) name() string { return cmp.Or(c.Tool, c.Function.Name, "tool") }

// input returns the call's arguments. OpenAI writes them as JSON in a string.
func (c toolCall) input() json.RawMessage {
	if len(c.Input) > 0 {
		return c.Input
	}
	if text := JSONText(c.Function.Arguments); json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	return c.Function.Arguments
}

// JSONText returns a JSON string as its text, and any other value as it is.
func JSONText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

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
	known := generic.Map(PromptVariables, func(v string) string { return "`{{ " + v + " }}`" })
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
