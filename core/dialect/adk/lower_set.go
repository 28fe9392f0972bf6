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
	ID           string
	Conversation []metric.Invocation // as expected; nil if the case has none
	Scenario     *metric.Scenario
	Rubrics      []metric.Rubric
	App          string // whose session it begins with
	torn         bool   // a turn of the conversation is no mapping

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
	r := begin(p, f)
	root := f.Tree.Root()
	var s Set
	if f.shelf != nil {
		s = r.set(root)
		s.Cases, s.Losses = f.shelf.set, r.list
		return s
	}
	switch {
	case f.Tree.Endless() || !root.IsMap() && !root.IsSeq():
		r.add(NotJSON, Refuses, root, "")
	case f.Part:
		r.misfits(Refusals(p, casesType, root))
		s.Cases = r.cases(root)
	case root.IsSeq():
		s.Cases = r.olderCases(root, f.Role == Turns)
	default:
		s = r.set(root)
	}
	r.repeatedCases(s.Cases)
	s.Losses = r.list
	for i, c := range s.Cases {
		s.Cases[i] = c.placed()
	}
	return s
}

// placed is the case with its places, by what the file has of it.
func (c Case) placed() Case {
	c.Span = c.Node.Span
	if c.IDNode != nil {
		c.IDSpan = c.IDNode.Span
	}
	return c
}

// Bare is the case without what the file has of it, which takes many times the room,
// and with its places moved.
func (c Case) Bare(to func(text.Span) text.Span) Case {
	c.Node, c.IDNode, c.Turns = nil, nil, nil
	c.Span, c.IDSpan = to(c.Span), to(c.IDSpan)
	return c
}

func (r *reader) set(root *yaml.Node) Set {
	s := Set{ID: str(get(root, "eval_set_id")), Name: str(root.Get("name")), Description: str(root.Get("description"))}
	for _, f := range SetFile.Fields {
		if p := root.Pair(camel(f.Key)); p != nil && p.Key.Value != f.Key {
			r.add(CamelCase, Silent, p.Key, f.Key)
		}
	}
	r.misfits(Refusals(r.profile, SetFile, root))
	s.Cases = r.cases(get(root, CasesKey))
	return s
}

func (r *reader) cases(list *yaml.Node) (all []Case) {
	for _, item := range list.List() {
		all = append(all, r.evalCase(item))
	}
	return all
}

func (r *reader) evalCase(n *yaml.Node) Case {
	c := Case{ID: str(get(n, "eval_id")), Node: n, IDNode: get(n, "eval_id"), Rubrics: rubrics(get(n, "rubrics")), App: str(get(get(n, "session_input"), "app_name"))}
	turns, scenario := n.Get("conversation"), get(n, "conversation_scenario")
	switch {
	case !turns.IsNull() && !scenario.IsNull():
		r.add(BothForms, Refuses, n, c.ID)
	case turns.IsNull() && scenario.IsNull():
		r.add(NoForm, Refuses, n, c.ID)
	}
	if turns.IsSeq() {
		c.Conversation, c.Turns = []metric.Invocation{}, turns.List()
	}
	r.untyped(get(n, "rubrics"))
	r.repeated(nil, get(n, "rubrics"))
	for _, t := range c.Turns {
		c.torn = c.torn || !t.IsMap() // an empty turn would pass for one without tool calls
		c.Conversation = append(c.Conversation, invocation(t))
		r.untyped(get(t, "rubrics"))
		r.repeated(get(n, "rubrics"), get(t, "rubrics"))
	}
	if scenario.IsMap() {
		c.Scenario = scenarioOf(scenario)
	}
	return c
}

func (r *reader) repeatedCases(cases []Case) {
	seen := map[string]*yaml.Node{}
	for _, c := range cases {
		if c.ID == "" {
			continue
		}
		if before := seen[c.ID]; before != nil {
			r.add(DuplicateCase, Skips, c.Node, c.ID).Other = before.Span
			continue
		}
		seen[c.ID] = c.Node
	}
}
