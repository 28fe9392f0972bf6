package adk

import (
	"maps"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/spell"
)

// Summary lists the parts of an evalset that metrics can use.
type Summary struct {
	Scenarios  int  // number of cases with a simulated user
	Fixed      int  // number of cases with a conversation and no simulated user
	Turns      int  // number of turns in all conversations
	HasPersona bool // some scenario has a persona
	HasAnswers bool // some turn has an expected answer
	HasCalls   bool // some turn has an expected tool call

	Rubrics          map[string]map[string]bool // ids by type
	Tools            map[string]bool            // names of declared or called tools
	HasDeclaredTools bool                       // some tools are declared, so Tools may be complete
	FieldNames       map[string]bool            // names of tools' parameters and results
}

// Summary returns the summary of the set.
func (s Set) Summary() Summary {
	summary := Summary{Rubrics: map[string]map[string]bool{}, Tools: map[string]bool{}, FieldNames: map[string]bool{}}
	for _, c := range s.Cases {
		summary.addCase(c)
	}
	return summary
}

// CheckTool reports whether name looks like a tool that does not exist, and the nearest known tool.
func (s *Summary) CheckTool(name string) (suggestion string, isUnknown bool) {
	if len(s.Tools) == 0 || s.Tools[name] || s.FieldNames[name] {
		return "", false
	}
	suggestion = spell.Nearest(name, slices.Sorted(maps.Keys(s.Tools)))
	return suggestion, suggestion != "" || s.HasDeclaredTools
}

// Turns returns the turns of all cases.
func (s Set) Turns() (all []metric.Invocation) {
	for _, c := range s.Cases {
		all = append(all, c.Conversation...)
	}
	return all
}

// addCase adds the contents of a case.
func (s *Summary) addCase(c Case) {
	s.addRubrics(c.Rubrics)
	if c.Scenario != nil {
		s.Scenarios++
		s.HasPersona = s.HasPersona || c.Scenario.Persona != nil
	} else if c.Conversation != nil {
		s.Fixed++
	}
	for _, turn := range c.Conversation {
		s.addTurn(turn)
	}
}

func (s *Summary) addRubrics(list []metric.Rubric) {
	for _, r := range list {
		if s.Rubrics[r.Type] == nil {
			s.Rubrics[strings.Clone(r.Type)] = map[string]bool{}
		}
		addName(s.Rubrics[r.Type], r.ID)
	}
}

func (s *Summary) addTurn(turn metric.Invocation) {
	s.Turns++
	s.addRubrics(turn.Rubrics)
	if text, _ := turn.Final.Text(); text != "" {
		s.HasAnswers = true
	}
	for _, call := range turn.Calls() {
		s.HasCalls = true
		addName(s.Tools, call.Name)
		s.addFieldNames(call.Args)
	}
	for _, r := range turn.ToolResponses {
		s.addFieldNames(r.Response)
	}
	for _, agent := range turn.Agents {
		for _, d := range agent.Tools {
			s.addDeclaration(d)
		}
	}
}

func (s *Summary) addFieldNames(m map[string]any) {
	for key := range m {
		addName(s.FieldNames, key)
	}
}

// addName adds a copy of name, because the summary outlives the text.
func addName(names map[string]bool, name string) {
	if !names[name] {
		names[strings.Clone(name)] = true
	}
}

// addDeclaration adds a tool's declaration, or a tool that groups several.
func (s *Summary) addDeclaration(d any) {
	m, _ := d.(map[string]any)
	if name, ok := m["name"].(string); ok {
		addName(s.Tools, name)
		s.HasDeclaredTools = true
	}
	for _, key := range []string{"function_declarations", "functionDeclarations"} {
		list, _ := m[key].([]any)
		for _, inner := range list {
			s.addDeclaration(inner)
		}
	}
	for _, key := range []string{"parameters", "parameters_json_schema", "parametersJsonSchema"} {
		if schema, ok := m[key].(map[string]any); ok {
			properties, _ := schema["properties"].(map[string]any)
			s.addFieldNames(properties)
		}
	}
}
