package adk

import "github.com/rubric-ls/rubric/core/metric"

type turnJSON struct {
	ID           string       `json:"invocation_id,omitempty"`
	User         *contentJSON `json:"user_content"`
	Final        *contentJSON `json:"final_response,omitempty"`
	Intermediate any          `json:"intermediate_data,omitempty"`
	Rubrics      []rubricJSON `json:"rubrics,omitempty"`
	Details      any          `json:"app_details,omitempty"`
}

type contentJSON struct {
	Parts []partJSON `json:"parts,omitempty"`
	Role  string     `json:"role,omitempty"`
}

type partJSON struct {
	Text     string               `json:"text,omitempty"`
	Call     *metric.ToolCall     `json:"function_call,omitempty"`
	Response *metric.ToolResponse `json:"function_response,omitempty"`
}

type eventJSON struct {
	Author  string       `json:"author"`
	Content *contentJSON `json:"content,omitempty"`
}

type listsJSON struct {
	Uses         []metric.ToolCall     `json:"tool_uses,omitempty"`
	Responses    []metric.ToolResponse `json:"tool_responses,omitempty"`
	Intermediate [][2]any              `json:"intermediate_responses,omitempty"`
}

type rubricJSON struct {
	ID          string            `json:"rubric_id"`
	Content     map[string]string `json:"rubric_content"`
	Description string            `json:"description,omitempty"`
	Type        string            `json:"type,omitempty"`
}

type agentJSON struct {
	Name         string `json:"name"`
	Instructions string `json:"instructions,omitempty"`
	Tools        []any  `json:"tool_declarations,omitempty"`
}

// encodeInvocation is a turn as an evalset or a result file has it.
func encodeInvocation(i metric.Invocation) turnJSON {
	t := turnJSON{ID: i.ID, User: encodeContent(i.User), Final: encodeContent(i.Final), Intermediate: encodeIntermediate(i)}
	if t.User == nil {
		t.User = &contentJSON{} // which a turn cannot do without
	}
	t.Rubrics = encodeRubrics(i.Rubrics)
	if len(i.Agents) > 0 {
		agents := map[string]agentJSON{}
		for _, a := range i.Agents {
			agents[a.Name] = agentJSON(a)
		}
		t.Details = map[string]any{"agent_details": agents}
	}
	return t
}

// encodeIntermediate is nil for a turn in which nothing happened.
func encodeIntermediate(i metric.Invocation) any {
	if len(i.Events) > 0 {
		events := []eventJSON{}
		for _, e := range i.Events {
			events = append(events, eventJSON{e.Author, encodeContent(e.Content)})
		}
		return map[string]any{"invocation_events": events}
	}
	lists := listsJSON{Uses: i.ToolUses, Responses: i.ToolResponses}
	for _, e := range i.IntermediateResponses {
		parts := []partJSON{}
		if c := encodeContent(e.Content); c != nil {
			parts = append(parts, c.Parts...)
		}
		lists.Intermediate = append(lists.Intermediate, [2]any{e.Author, parts})
	}
	if len(lists.Uses)+len(lists.Responses)+len(lists.Intermediate) == 0 {
		return nil
	}
	return lists
}

func encodeContent(c *metric.Content) *contentJSON {
	if c == nil {
		return nil
	}
	w := &contentJSON{Role: c.Role}
	for _, p := range c.Parts {
		w.Parts = append(w.Parts, partJSON(p))
	}
	return w
}
