package adk

import "github.com/rubric-ls/rubric/core/metric"

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
	t := Stock{Rubrics: map[string]map[string]bool{}, Tools: map[string]bool{}, Words: map[string]bool{}}
	for _, c := range s.Cases {
		t.rubrics(c.Rubrics)
		if c.Scenario != nil {
			t.Scenarios++
		}
		for _, turn := range c.Conversation {
			t.turn(turn)
		}
	}
	return t
}

func (t *Stock) rubrics(list []metric.Rubric) {
	for _, r := range list {
		if t.Rubrics[r.Type] == nil {
			t.Rubrics[r.Type] = map[string]bool{}
		}
		t.Rubrics[r.Type][r.ID] = true
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
		t.Tools[call.Name] = true
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
		t.Words[key] = true
	}
}

// declared takes a tool's declaration, or a tool that holds several.
func (t *Stock) declared(d any) {
	m, _ := d.(map[string]any)
	if name, ok := m["name"].(string); ok {
		t.Tools[name], t.Full = true, true
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
