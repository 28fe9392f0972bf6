package adk

import (
	"strings"

	"github.com/rubric-ls/rubric/core/metric"
)

// Stock is what an evalset has for metrics to work with.
type Stock struct {
	Scenarios int  // cases with a simulated user
	Turns     int  // of all conversations
	Answers   bool // some turn has an expected answer
	Calls     bool // some turn has an expected tool call

	Rubrics map[string]map[string]bool // ids by type
	Tools   map[string]bool            // names of those that are declared or called
	Full    bool                       // some tools are declared, so that Tools may be all of them
	Words   map[string]bool            // names of what tools take and return
}

// Stock is what the set has for metrics to work with.
func (s Set) Stock() Stock {
	t := newStock()
	for _, c := range s.Cases {
		t.take(c)
	}
	return t
}

func newStock() Stock {
	return Stock{Rubrics: map[string]map[string]bool{}, Tools: map[string]bool{}, Words: map[string]bool{}}
}

// take adds what a case has.
func (t *Stock) take(c Case) {
	t.rubrics(c.Rubrics)
	if c.Scenario != nil {
		t.Scenarios++
	}
	for _, turn := range c.Conversation {
		t.turn(turn)
	}
}

func (t *Stock) rubrics(list []metric.Rubric) {
	for _, r := range list {
		if t.Rubrics[r.Type] == nil {
			t.Rubrics[strings.Clone(r.Type)] = map[string]bool{}
		}
		note(t.Rubrics[r.Type], r.ID)
	}
}

func (t *Stock) turn(turn metric.Invocation) {
	t.Turns++
	t.rubrics(turn.Rubrics)
	if text, _ := turn.Final.Text(); text != "" {
		t.Answers = true
	}
	for _, call := range turn.Calls() {
		t.Calls = true
		note(t.Tools, call.Name)
		t.words(call.Args)
	}
	for _, r := range turn.ToolResponses {
		t.words(r.Response)
	}
	for _, agent := range turn.Agents {
		for _, d := range agent.Tools {
			t.declared(d)
		}
	}
}

func (t *Stock) words(m map[string]any) {
	for key := range m {
		note(t.Words, key)
	}
}

// note adds a name, which is kept longer than the text that it is a part of.
func note(names map[string]bool, name string) {
	if !names[name] {
		names[strings.Clone(name)] = true
	}
}

// declared takes a tool's declaration, or a tool that holds several.
func (t *Stock) declared(d any) {
	m, _ := d.(map[string]any)
	if name, ok := m["name"].(string); ok {
		note(t.Tools, name)
		t.Full = true
	}
	for _, key := range []string{"function_declarations", "functionDeclarations"} {
		list, _ := m[key].([]any)
		for _, inner := range list {
			t.declared(inner)
		}
	}
	for _, key := range []string{"parameters", "parameters_json_schema", "parametersJsonSchema"} {
		if schema, ok := m[key].(map[string]any); ok {
			properties, _ := schema["properties"].(map[string]any)
			t.words(properties)
		}
	}
}
