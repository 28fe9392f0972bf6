package draft

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// shape is how a version writes the criteria of a case.
type shape struct {
	key  string   // of the case, under which they or their grader are
	also []string // older names of that key, the first that is there counts
	kind string   // of their grader; "" where the criteria are the case's own
	list string   // the key of the grader that they are under
	text string   // the key of a criterion's text
}

// shapes are what a person writes today: versions read older forms too.
var shapes = map[agentv.Version]shape{
	agentv.Seed:   {key: "rubrics", text: "expected_outcome"},
	agentv.Stable: {key: "assertions", also: []string{"assert", "evaluators"}, kind: "rubrics", list: "criteria", text: "outcome"},
	agentv.Head:   {key: "assert", kind: "llm-rubric", list: "value", text: "outcome"},
}

// spot is where the criteria of a case go.
type spot struct {
	part *analysis.Part
	c    *rubric.Case // in spans of the part
	node *yaml.Node
	list *yaml.Node // the case's graders, which one is added to; nil where the key is not there yet
	shape
}

// Declined says why no criteria are drafted for a case of a file; it is nil if
// some can be.
func Declined(a *analysis.Analysis, c *rubric.Case) error {
	_, err := find(a, c)
	return err
}

// DeclinedIn is Declined of a case of a part.
func DeclinedIn(p *analysis.Part, c *rubric.Case) error {
	_, err := spotOf(p, c)
	return err
}

// find is where the criteria of a case of a file go.
func find(a *analysis.Analysis, c *rubric.Case) (spot, error) {
	p := a.At(c.Span.Start)
	for _, own := range slices.Concat(p.Suite.Cases, p.Suite.Skipped) {
		if p.Place(own.Span) == c.Span && own.ID == c.ID {
			return spotOf(p, own)
		}
	}
	return spot{}, fmt.Errorf("the case `%s` does not stand where criteria can be added", c.ID)
}

func spotOf(p *analysis.Part, c *rubric.Case) (spot, error) {
	s := spot{part: p, c: c, node: mappingAt(p.Tree, c.Span), shape: shapes[cmp.Or(p.Version, agentv.Seed)]}
	switch {
	case c.From != "":
		return s, fmt.Errorf("the case `%s` stands in another file, `%s`", c.ID, c.From)
	case s.node == nil || len(s.node.Pairs) == 0:
		return s, fmt.Errorf("the case `%s` does not stand where criteria can be added", c.ID)
	case c.Rubric() != nil:
		return s, fmt.Errorf("the case `%s` has criteria already", c.ID)
	case c.ID == "" && !slices.Contains(p.Suite.Cases, c):
		return s, errors.New("the runner skips a case without an id; add an `id` first")
	}
	if goal := s.goal(); goal.ExpectedOutcome == "" && (p.Version != agentv.Head || goal.ReferenceAnswer == "") {
		return s, fmt.Errorf("the case `%s` has no expected outcome to draft criteria from", c.ID)
	}
	s, err := s.place()
	if err == nil && !slices.Contains(p.Suite.Cases, c) && (p.Version != agentv.Head || s.list != nil) { // Head's loader skips what nothing grades
		err = fmt.Errorf("the runner skips the case `%s`", c.ID)
	}
	return s, err
}

// place looks where the case has its graders, if it has any.
func (s spot) place() (spot, error) {
	if s.kind == "" {
		if s.node.Get(s.key) != nil {
			return s, fmt.Errorf("the case `%s` has `%s` already", s.c.ID, s.key)
		}
		return s, nil
	}
	for _, key := range append([]string{s.key}, s.also...) {
		for _, holder := range []*yaml.Node{s.node, s.node.Get("execution")} {
			list := holder.Get(key)
			if list == nil {
				continue
			}
			if list.Kind != yaml.Sequence || list.Recovered {
				return s, fmt.Errorf("the `%s` of the case `%s` are no list that one can be added to", key, s.c.ID)
			}
			s.list = list
			return s, nil
		}
	}
	if s.part.Version == agentv.Head && s.node.Get("criteria") != nil {
		return s, errors.New("a test of this version has `criteria` or `assert`, and not both")
	}
	return s, nil
}

// goal is the case as criteria are drafted for it. A test of the newest version
// says what a good answer does in its description.
func (s spot) goal() *rubric.Case {
	c := *s.c
	if s.part.Version == agentv.Head && c.ExpectedOutcome == "" {
		c.ExpectedOutcome, _ = s.node.Get("description").Str()
	}
	return &c
}

// mappingAt is the mapping that has exactly a span; nil if there is none.
func mappingAt(t *yaml.Tree, span text.Span) *yaml.Node {
	for n := t.At(span.Start); n != nil; n = n.Parent {
		if n.Kind == yaml.Mapping && n.Span == span {
			return n
		}
	}
	return nil
}
