package adk

import (
	"encoding/json"

	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Set is the meaning of an evalset.
type Set struct {
	ID, Name, Description string

	Cases   []Case
	Refused bool // ADK does not read the file
}

// Case is one case with the spans that editors need.
type Case struct {
	ID             string
	Conversation   []metric.Invocation // the expected turns; nil if the case has none
	Scenario       *metric.Scenario
	Rubrics        []metric.Rubric
	Session        metric.SessionInput
	hasInvalidTurn bool              // a turn of the conversation is not a mapping
	messages       []json.RawMessage // the user's messages with more than text, by turn; may be nil

	Span, IDSpan text.Span // the whole case and its id

	// The case's nodes; nil for a compact case.
	Node   *yaml.Node
	IDNode *yaml.Node   // nil for a case without an id
	Turns  []*yaml.Node // the turns of the conversation
}

// LowerSet reads an evalset in its present or an older form. It reads as much as possible, even
// where ADK refuses the file.
func LowerSet(p metric.Profile, f File) Set {
	f = f.Whole()
	root := f.Tree.Root()
	var s Set
	switch {
	case f.Tree.HasUnboundedAliases() || !root.IsMap() && !root.IsSeq():
		s.Refused = true
	case f.IsChunk:
		s.Refused = isRefused(p, casesType, root)
		s.readCases(root)
	case root.IsSeq():
		s.Cases, s.Refused = readOlderCases(p, root, f.Role == Turns)
	default:
		s = readSet(p, root)
	}
	s.Refused = s.Refused || f.isUnreadable()
	for i := range s.Cases {
		c := &s.Cases[i]
		if c.Span = c.Node.Span; c.IDNode != nil {
			c.IDSpan = c.IDNode.Span
		}
	}
	return s
}

// Compact returns the case without its tree, which takes many times the memory, and with its spans
// shifted.
func (c Case) Compact(shift func(text.Span) text.Span) Case {
	c.Node, c.IDNode, c.Turns = nil, nil, nil
	c.Span, c.IDSpan = shift(c.Span), shift(c.IDSpan)
	return c
}

func readSet(p metric.Profile, root *yaml.Node) Set {
	s := Set{ID: lookup(root, "eval_set_id").Text(), Name: root.Get("name").Text(), Description: root.Get("description").Text()}
	misnamed := misnamedCases(root)
	s.Refused = isRefused(p, SetFile, root) || misnamed != nil && isRefused(p, casesType, misnamed)
	s.readCases(lookup(root, CasesKey))
	return s
}

// misnamedCases returns an evalset's list of cases if its key is in camelCase, which ADK does not know.
func misnamedCases(root *yaml.Node) *yaml.Node {
	if root.Pair(CasesKey) != nil {
		return nil
	}
	return root.Get(schema.CamelCase(CasesKey))
}

// readCases adds the cases of a list. ADK refuses a file with a case that has not one of a
// conversation and a scenario.
func (s *Set) readCases(list *yaml.Node) {
	for _, n := range list.List() {
		s.Cases = append(s.Cases, readCase(n))
		s.Refused = s.Refused || n.Get("conversation").IsNull() == lookup(n, "conversation_scenario").IsNull()
	}
}

func readCase(n *yaml.Node) Case {
	c := Case{ID: lookup(n, "eval_id").Text(), Node: n, IDNode: lookup(n, "eval_id"), Rubrics: readRubrics(lookup(n, "rubrics")), Session: readSession(lookup(n, "session_input"))}
	if turns := n.Get("conversation"); turns.IsSeq() {
		c.Conversation, c.Turns = []metric.Invocation{}, turns.List()
		c.messages = readMessages(c.Turns)
	}
	for _, t := range c.Turns {
		c.hasInvalidTurn = c.hasInvalidTurn || !t.IsMap() // would be indistinguishable from a turn without tool calls
		c.Conversation = append(c.Conversation, readInvocation(t))
	}
	if scenario := lookup(n, "conversation_scenario"); scenario.IsMap() {
		c.Scenario = readScenario(scenario)
	}
	return c
}

func readSession(n *yaml.Node) metric.SessionInput {
	return metric.SessionInput{App: lookup(n, "app_name").Text(), User: lookup(n, "user_id").Text(), State: encodeNode(lookup(n, "state"))}
}

// readOlderCases reads a list of named conversations, or one conversation as a list of turns. Only
// ADK's own test runner reads the latter.
func readOlderCases(p metric.Profile, root *yaml.Node, turns bool) (cases []Case, refused bool) {
	if turns {
		return []Case{readOlderCase(root, root)}, isRefused(p, TurnsFile, root)
	}
	for _, item := range root.List() {
		if !item.Get("data").IsSeq() || item.Get("name") == nil {
			continue
		}
		c := readOlderCase(item, item.Get("data"))
		c.IDNode = item.Get("name")
		c.ID, c.Session = c.IDNode.Text(), readSession(item.Get("initial_session"))
		cases = append(cases, c)
	}
	return cases, isRefused(p, OlderFile, root)
}

func readOlderCase(n, data *yaml.Node) Case {
	c := Case{Node: n, Turns: data.List(), Conversation: []metric.Invocation{}}
	for _, t := range c.Turns {
		c.Conversation = append(c.Conversation, readOlderTurn(t))
	}
	return c
}

func readOlderTurn(n *yaml.Node) metric.Invocation {
	i := metric.Invocation{User: newTextContent("user", n.Get("query")), Final: newTextContent("model", n.Get("reference"))}
	for _, use := range n.Get("expected_tool_use").List() {
		i.ToolUses = append(i.ToolUses, metric.ToolCall{Name: use.Get("tool_name").Text(), Args: readObject(use.Get("tool_input"))})
	}
	for _, response := range n.Get("expected_intermediate_agent_responses").List() {
		i.IntermediateResponses = append(i.IntermediateResponses, metric.Event{Author: response.Get("author").Text(), Content: newTextContent("", response.Get("text"))})
	}
	return i
}

func newTextContent(role string, n *yaml.Node) *metric.Content {
	return &metric.Content{Role: role, Parts: []metric.Part{{Text: n.Text()}}}
}

// ReadInvocations reads a list of turns of a case, and returns what ADK would refuse in it.
func ReadInvocations(p metric.Profile, n *yaml.Node) ([]metric.Invocation, []Refusal) {
	turns := []metric.Invocation{}
	for _, item := range n.List() {
		turns = append(turns, readInvocation(item))
	}
	return turns, Refusals(p, schema.ListOf(invocationType), n)
}

// ReadRubrics reads a list of rubrics of a case, and returns what ADK would refuse in it.
func ReadRubrics(p metric.Profile, n *yaml.Node) ([]metric.Rubric, []Refusal) {
	return readRubrics(n), Refusals(p, schema.ListOf(ownRubricType), n)
}

// ReadScenario reads a simulated user's scenario, and returns what ADK would refuse in it.
func ReadScenario(p metric.Profile, n *yaml.Node) (*metric.Scenario, []Refusal) {
	return readScenario(n), Refusals(p, scenarioType, n)
}

// ReadCriterion reads a metric's criterion from a configuration: a threshold or a mapping. The
// refusals make ADK refuse the file or skip the metric.
func ReadCriterion(p metric.Profile, name string, n *yaml.Node) (metric.Criterion, []Refusal) {
	c := metric.Criterion{Metric: name}
	c.Threshold = readThreshold(n)
	if n.IsMap() {
		readOptions(&c, n)
	}
	table := criteriaTable.OtherValues
	if f := criteriaTable.Field(name); f != nil {
		table = f.Type
	}
	return c, Refusals(p, table, n)
}
