package adk

import (
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Set is what an evalset means.
type Set struct {
	ID, Name, Description string

	Cases  []Case
	Losses []Loss
}

// Case is one case, with the place of each thing that editors point at.
type Case struct {
	ID             string
	Conversation   []metric.Invocation // as expected; nil if the case has none
	Scenario       *metric.Scenario
	Rubrics        []metric.Rubric
	App            string // whose session it begins with
	hasInvalidTurn bool   // a turn of the conversation is no mapping

	Span, IDSpan text.Span // of all of it, and of its id

	// What the file has of it; nil where that has been let go.
	Node   *yaml.Node
	IDNode *yaml.Node   // nil for a case without an id
	Turns  []*yaml.Node // of the conversation
}

// LowerSet reads an evalset, in its present or an older form. Whatever ADK would
// make of it, all that can be read is there; [Refused] of its losses says whether
// ADK would read it. Of a file that was glanced at only the losses around its cases are
// told.
func LowerSet(p metric.Profile, f File) Set {
	r := newReader(p, f)
	root := f.Tree.Root()
	var s Set
	if f.compact != nil {
		s = r.readSet(root)
		s.Cases, s.Losses = f.compact.cases, r.list
		return s
	}
	switch {
	case f.Tree.HasUnboundedAliases() || !root.IsMap() && !root.IsSeq():
		r.addLoss(NotJSON, Refuses, root, "")
	case f.IsChunk:
		r.addMisfits(Refusals(p, casesType, root))
		s.Cases = r.readCases(root)
	case root.IsSeq():
		s.Cases = r.readOlderCases(root, f.Role == Turns)
	default:
		s = r.readSet(root)
	}
	r.addDuplicateCases(s.Cases)
	s.Losses = r.list
	for i, c := range s.Cases {
		s.Cases[i] = c.withSpans()
	}
	return s
}

// withSpans is the case with its places, by what the file has of it.
func (c Case) withSpans() Case {
	c.Span = c.Node.Span
	if c.IDNode != nil {
		c.IDSpan = c.IDNode.Span
	}
	return c
}

// Compact is the case without what the file has of it, which takes many times the room,
// and with its places moved.
func (c Case) Compact(shift func(text.Span) text.Span) Case {
	c.Node, c.IDNode, c.Turns = nil, nil, nil
	c.Span, c.IDSpan = shift(c.Span), shift(c.IDSpan)
	return c
}

func (r *reader) readSet(root *yaml.Node) Set {
	s := Set{ID: stringOf(lookup(root, "eval_set_id")), Name: stringOf(root.Get("name")), Description: stringOf(root.Get("description"))}
	for _, f := range SetFile.Fields {
		if p := root.Pair(camelCase(f.Key)); p != nil && p.Key.Value != f.Key {
			r.addLoss(CamelCase, Silent, p.Key, f.Key)
		}
	}
	r.addMisfits(Refusals(r.profile, SetFile, root))
	s.Cases = r.readCases(lookup(root, CasesKey))
	return s
}

func (r *reader) readCases(list *yaml.Node) (all []Case) {
	for _, item := range list.List() {
		all = append(all, r.readCase(item))
	}
	return all
}

func (r *reader) readCase(n *yaml.Node) Case {
	c := Case{ID: stringOf(lookup(n, "eval_id")), Node: n, IDNode: lookup(n, "eval_id"), Rubrics: readRubrics(lookup(n, "rubrics")), App: stringOf(lookup(lookup(n, "session_input"), "app_name"))}
	turns, scenario := n.Get("conversation"), lookup(n, "conversation_scenario")
	switch {
	case !turns.IsNull() && !scenario.IsNull():
		r.addLoss(BothConversations, Refuses, n, c.ID)
	case turns.IsNull() && scenario.IsNull():
		r.addLoss(NoConversation, Refuses, n, c.ID)
	}
	if turns.IsSeq() {
		c.Conversation, c.Turns = []metric.Invocation{}, turns.List()
	}
	r.addUntypedRubrics(lookup(n, "rubrics"))
	r.addDuplicateRubrics(nil, lookup(n, "rubrics"))
	for _, t := range c.Turns {
		c.hasInvalidTurn = c.hasInvalidTurn || !t.IsMap() // an empty turn would pass for one without tool calls
		c.Conversation = append(c.Conversation, readInvocation(t))
		r.addUntypedRubrics(lookup(t, "rubrics"))
		r.addDuplicateRubrics(lookup(n, "rubrics"), lookup(t, "rubrics"))
	}
	if scenario.IsMap() {
		c.Scenario = readScenario(scenario)
	}
	return c
}

func (r *reader) addDuplicateCases(cases []Case) {
	seen := map[string]*yaml.Node{}
	for _, c := range cases {
		if c.ID == "" {
			continue
		}
		if before := seen[c.ID]; before != nil {
			r.addLoss(DuplicateCase, Skips, c.Node, c.ID).Related = before.Span
			continue
		}
		seen[c.ID] = c.Node
	}
}
