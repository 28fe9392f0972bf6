package run

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
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
	called := decodeCalls(m.ToolCalls)
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

// addGuidelines adds guidelines to the system message, as the reference does.
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

func decodeCalls(value any) (calls []toolCall) {
	raw, err := json.Marshal(value)
	if err != nil || json.Unmarshal(raw, &calls) != nil {
		return nil
	}
	return calls
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
