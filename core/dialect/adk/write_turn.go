package adk

import "github.com/rubric-ls/rubric/core/metric"

type writtenTurn struct {
	ID      string          `json:"invocation_id,omitempty"`
	User    *writtenContent `json:"user_content"`
	Final   *writtenContent `json:"final_response,omitempty"`
	Between any             `json:"intermediate_data,omitempty"`
	Rubrics []writtenRubric `json:"rubrics,omitempty"`
	Details any             `json:"app_details,omitempty"`
}

type writtenContent struct {
	Parts []writtenPart `json:"parts,omitempty"`
	Role  string        `json:"role,omitempty"`
}

type writtenPart struct {
	Text     string               `json:"text,omitempty"`
	Call     *metric.ToolCall     `json:"function_call,omitempty"`
	Response *metric.ToolResponse `json:"function_response,omitempty"`
}

type writtenEvent struct {
	Author  string          `json:"author"`
	Content *writtenContent `json:"content,omitempty"`
}

type writtenLists struct {
	Uses      []metric.ToolCall     `json:"tool_uses,omitempty"`
	Responses []metric.ToolResponse `json:"tool_responses,omitempty"`
	Said      [][2]any              `json:"intermediate_responses,omitempty"`
}

type writtenRubric struct {
	ID          string            `json:"rubric_id"`
	Content     map[string]string `json:"rubric_content"`
	Description string            `json:"description,omitempty"`
	Type        string            `json:"type,omitempty"`
}

type writtenAgent struct {
	Name         string `json:"name"`
	Instructions string `json:"instructions,omitempty"`
	Tools        []any  `json:"tool_declarations,omitempty"`
}

// writtenInvocation is a turn as an evalset or a result file has it.
func writtenInvocation(i metric.Invocation) writtenTurn {
	t := writtenTurn{ID: i.ID, User: writtenSpeech(i.User), Final: writtenSpeech(i.Final), Between: between(i)}
	if t.User == nil {
		t.User = &writtenContent{} // which a turn cannot do without
	}
	t.Rubrics = writtenRubrics(i.Rubrics)
	if len(i.Agents) > 0 {
		agents := map[string]writtenAgent{}
		for _, a := range i.Agents {
			agents[a.Name] = writtenAgent(a)
		}
		t.Details = map[string]any{"agent_details": agents}
	}
	return t
}

// between is nil for a turn in which nothing happened.
func between(i metric.Invocation) any {
	if len(i.Events) > 0 {
		events := []writtenEvent{}
		for _, e := range i.Events {
			events = append(events, writtenEvent{e.Author, writtenSpeech(e.Content)})
		}
		return map[string]any{"invocation_events": events}
	}
	lists := writtenLists{Uses: i.ToolUses, Responses: i.ToolResponses}
	for _, e := range i.Said {
		parts := []writtenPart{}
		if c := writtenSpeech(e.Content); c != nil {
			parts = append(parts, c.Parts...)
		}
		lists.Said = append(lists.Said, [2]any{e.Author, parts})
	}
	if len(lists.Uses)+len(lists.Responses)+len(lists.Said) == 0 {
		return nil
	}
	return lists
}

func writtenSpeech(c *metric.Content) *writtenContent {
	if c == nil {
		return nil
	}
	w := &writtenContent{Role: c.Role}
	for _, p := range c.Parts {
		w.Parts = append(w.Parts, writtenPart(p))
	}
	return w
}
