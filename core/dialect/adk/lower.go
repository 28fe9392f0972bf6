package adk

import (
	"math"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// reader reads one file.
type reader struct {
	lossList
	profile metric.Profile
}

// newReader returns a reader with the losses for which ADK cannot read a JSON file at all.
func newReader(p metric.Profile, f File) *reader {
	r := &reader{profile: p}
	if !f.JSON {
		return r
	}
	for _, e := range f.Excess {
		r.list = append(r.list, Loss{Kind: NotJSON, Level: Refuses, Span: e.Span, Key: string(e.Kind)})
	}
	if f.wraps {
		r.addLoss(NotJSON, Refuses, f.Tree.Root(), "")
	}
	if f.Fault != nil {
		r.list = append(r.list, Loss{Kind: NotJSON, Level: Refuses, Span: *f.Fault})
	}
	return r
}

// stringOf returns a string, or "" for any other value.
func stringOf(n *yaml.Node) string {
	s, _ := n.Str()
	return s
}

func readContent(n *yaml.Node) *metric.Content {
	if !n.IsMap() {
		return nil
	}
	return &metric.Content{Role: stringOf(lookup(n, "role")), Parts: readParts(lookup(n, "parts"))}
}

func readParts(n *yaml.Node) []metric.Part {
	var parts []metric.Part
	for _, item := range n.List() {
		p := metric.Part{Text: stringOf(item.Get("text"))}
		if c := lookup(item, "function_call"); c.IsMap() {
			p.Call = new(readCall(c))
		}
		if c := lookup(item, "function_response"); c.IsMap() {
			p.Response = new(readResponse(c))
		}
		parts = append(parts, p)
	}
	return parts
}

func readCall(n *yaml.Node) metric.ToolCall {
	return metric.ToolCall{ID: stringOf(n.Get("id")), Name: stringOf(n.Get("name")), Args: readObject(n.Get("args"))}
}

func readResponse(n *yaml.Node) metric.ToolResponse {
	return metric.ToolResponse{ID: stringOf(n.Get("id")), Name: stringOf(n.Get("name")), Response: readObject(n.Get("response"))}
}

// readObject returns a mapping as JSON with exact numbers, or nil for any other value.
func readObject(n *yaml.Node) map[string]any {
	m, _ := n.Exact().(map[string]any)
	return m
}

func readInvocation(n *yaml.Node) metric.Invocation {
	i := metric.Invocation{
		ID: stringOf(lookup(n, "invocation_id")), User: readContent(lookup(n, "user_content")), Final: readContent(lookup(n, "final_response")),
		Rubrics: readRubrics(lookup(n, "rubrics")),
	}
	between := lookup(n, "intermediate_data")
	events := lookup(between, "invocation_events")
	i.HasEvents = events.IsSeq()
	for _, e := range events.List() {
		i.Events = append(i.Events, metric.Event{Author: stringOf(e.Get("author")), Content: readContent(e.Get("content")), Model: readModelCall(e)})
	}
	i.Duration = readCountOf(n, "duration")
	for _, c := range lookup(between, "tool_uses").List() {
		i.ToolUses = append(i.ToolUses, readCall(c))
	}
	for _, c := range lookup(between, "tool_responses").List() {
		i.ToolResponses = append(i.ToolResponses, readResponse(c))
	}
	for _, pair := range lookup(between, "intermediate_responses").List() {
		if p := pair.List(); len(p) == 2 {
			i.IntermediateResponses = append(i.IntermediateResponses, metric.Event{Author: stringOf(p[0]), Content: &metric.Content{Parts: readParts(p[1])}})
		}
	}
	for _, p := range lookup(lookup(n, "app_details"), "agent_details").Entries() {
		a := metric.Agent{Name: stringOf(p.Key), Instructions: stringOf(lookup(p.Value, "instructions"))}
		a.Tools, _ = lookup(p.Value, "tool_declarations").Exact().([]any)
		i.Agents = append(i.Agents, a)
	}
	return i
}

// readModelCall returns the model's call that an event records, or nil.
func readModelCall(event *yaml.Node) *metric.ModelCall {
	usage, version := lookup(event, "usage_metadata"), lookup(event, "model_version")
	if usage.IsNull() && version.IsNull() {
		return nil
	}
	return &metric.ModelCall{Version: stringOf(version), Usage: encodeNode(usage), Tokens: metric.TokenUsage{
		Prompt: readCountOf(usage, "prompt_token_count"), Cached: readCountOf(usage, "cached_content_token_count"), ToolUse: readCountOf(usage, "tool_use_prompt_token_count"),
		Candidates: readCountOf(usage, "candidates_token_count"), Reasoning: readCountOf(usage, "thoughts_token_count"),
	}}
}

// readCountOf returns the number under a key, or nil.
func readCountOf(n *yaml.Node, key string) *float64 {
	if v, ok := readNumber(lookup(n, key)); ok && !math.IsNaN(v) && !math.IsInf(v, 0) {
		return &v
	}
	return nil
}

func readRubrics(n *yaml.Node) (all []metric.Rubric) {
	for _, item := range n.List() {
		all = append(all, metric.Rubric{
			ID: stringOf(lookup(item, "rubric_id")), Text: stringOf(lookup(lookup(item, "rubric_content"), "text_property")),
			Description: stringOf(item.Get("description")), Type: stringOf(item.Get("type")),
		})
	}
	return all
}

// addDuplicateRubrics records rubric ids in list that occur earlier in list or in with, the list
// that ADK joins it to.
func (r *reader) addDuplicateRubrics(with, list *yaml.Node) {
	seen := map[string]*yaml.Node{}
	for i, item := range slices.Concat(with.List(), list.List()) {
		id := lookup(item, "rubric_id")
		before := seen[stringOf(id)]
		switch {
		case id == nil:
		case before != nil && i >= len(with.List()):
			r.addLoss(DuplicateID, Skips, id, stringOf(id)).Related = before.Span
		default:
			seen[stringOf(id)] = id
		}
	}
}

// addUntypedRubrics records rubrics of a case or turn that no metric uses.
func (r *reader) addUntypedRubrics(list *yaml.Node) {
	for _, item := range list.List() {
		if item.IsMap() && MetricForRubricType(stringOf(item.Get("type"))) == "" {
			r.addLoss(UntypedRubric, Silent, item, stringOf(lookup(item, "rubric_id")))
		}
	}
}

// Level is the effect of a fault in ADK.
type Level uint8

const (
	Silent  Level = iota // something is ignored without a message
	Skips                // a metric is not evaluated; only a log mentions it
	Refuses              // the file is not read
)

// LossKind distinguishes losses for the rules that word them.
type LossKind string

const (
	NotJSON           LossKind = "not-json"           // neither a mapping nor a list
	TableMismatch     LossKind = "mismatch"           // a value or key that is not in the table; see [Refusals]
	BothConversations LossKind = "both-conversations" // conversation and conversation_scenario
	NoConversation    LossKind = "no-conversation"    // neither of the two
	CamelCase         LossKind = "camel-case"         // camelCase keys of the evalset itself; ADK accepts them only in cases
	UnknownMetric     LossKind = "unknown-metric"     // Key is the metric's name
	DuplicateID       LossKind = "duplicate-id"       // duplicate rubric; Key is the id, Related the first one
	DuplicateCase     LossKind = "duplicate-case"     // duplicate case; Key is the id, Related the first one
	UntypedRubric     LossKind = "untyped"            // a rubric of a case or turn that no metric uses; Key is its id
	Informational     LossKind = "informational"      // a threshold for a figure that is reported only; Key is the metric
)

// Loss is one part of a file that ADK ignores or refuses.
type Loss struct {
	Kind    LossKind
	Level   Level
	Span    text.Span
	Related text.Span // a second place; may be empty
	Key     string
}

// lossList collects the losses of one reading.
type lossList struct{ list []Loss }

func (l *lossList) addLoss(kind LossKind, level Level, n *yaml.Node, key string) *Loss {
	l.list = append(l.list, Loss{Kind: kind, Level: level, Span: n.Span, Key: key})
	return &l.list[len(l.list)-1]
}

// addMismatches adds mismatches with the table. ADK checks some keys of a criterion only during a
// run; those cost the metric and all others the file.
func (l *lossList) addMismatches(found []Refusal) {
	for _, r := range found {
		level := Refuses
		if r.Field != nil && r.Field.OnInvalid == skipsMetric || r.Field == nil && r.Owner != nil && strings.HasPrefix(r.Owner.OnUnknownKey, skipsMetric) {
			level = Skips
		}
		l.list = append(l.list, Loss{Kind: TableMismatch, Level: level, Span: r.Span, Key: r.Key})
	}
}

// IsRefused reports whether ADK refuses the file.
func IsRefused(list []Loss) bool {
	return slices.ContainsFunc(list, func(l Loss) bool { return l.Level == Refuses })
}
