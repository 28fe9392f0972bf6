package draft

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// tryEdit makes an edit of the part in the file, and compares what is read before
// and after.
func (ip insertionPoint) tryEdit(a *analysis.Analysis, edit text.Edit, e entry, criteria []Criterion) (*analysis.Analysis, error) {
	body, err := text.Apply(ip.part.Source.Body, []text.Edit{edit})
	if err != nil {
		return nil, err
	}
	next := a.Edit(ip.placeEdit(edit))
	after := next.ChunkAt(ip.part.ToFile(text.Span{}).Start)
	if after.Source.Body != body {
		return nil, errors.New("adding criteria here would reach beyond the case")
	}
	if err := ip.checkText(after.Tree, e); err != nil {
		return nil, err
	}
	return next, ip.checkCases(after, criteria)
}

// placeEdit is an edit of the part as one of the file.
func (ip insertionPoint) placeEdit(edit text.Edit) text.Edit {
	return text.Edit{Span: ip.part.ToFile(edit.Span), New: edit.New}
}

// checkText compares comments and values.
func (ip insertionPoint) checkText(after *yaml.Tree, e entry) error {
	before := ip.part.Tree
	switch {
	case len(after.Problems) > len(before.Problems):
		return errors.New("the text around the case is broken, so criteria cannot be added safely: " + after.Problems[0].Message)
	case !slices.EqualFunc(before.Comments, after.Comments, func(x, y yaml.Comment) bool { return x.Text == y.Text }):
		return errors.New("adding criteria here would change a comment")
	case len(after.Docs) != len(before.Docs):
		return errors.New("adding criteria here would change how the text is divided into documents")
	}
	at := ip.caseNode
	if ip.graderList != nil {
		at = ip.graderList
	}
	twin := counterpartOf(before, after, at)
	if twin == nil {
		return errors.New("adding criteria here would move the case")
	}
	got, rest := splitLastEntry(twin)
	if !reflect.DeepEqual(got, ip.expectedValue(e)) {
		return errors.New("the criteria would not be read back as they were drafted")
	}
	saved := *twin
	*twin = rest // the tree is ours alone: it was parsed for this comparison
	defer func() { *twin = saved }()
	for i := range before.Docs {
		if !reflect.DeepEqual(before.Docs[i].Root.Any(), after.Docs[i].Root.Any()) {
			return fmt.Errorf("adding criteria to the case `%s` would change another value", ip.testCase.ID)
		}
	}
	return nil
}

// splitLastEntry is the value of the last entry of a mapping or list, and the node
// without it.
func splitLastEntry(n *yaml.Node) (value any, rest yaml.Node) {
	rest = *n
	if end := len(n.Pairs) - 1; end >= 0 {
		rest.Pairs = n.Pairs[:end]
		return map[string]any{n.Pairs[end].Key.Value: n.Pairs[end].Value.Any()}, rest
	}
	if end := len(n.Items) - 1; end >= 0 {
		rest.Items = n.Items[:end]
		return n.Items[end].Any(), rest
	}
	return nil, rest
}

// expectedValue is what has to be read of an entry.
func (ip insertionPoint) expectedValue(e entry) any {
	if ip.graderList != nil {
		return entryValue(e.list[0])
	}
	return entryValue([]entry{e})
}

func entryValue(entries []entry) any {
	all := map[string]any{}
	for _, e := range entries {
		switch {
		case e.list != nil:
			var list []any
			for _, item := range e.list {
				list = append(list, entryValue(item))
			}
			all[e.key] = list
		case e.value != nil:
			all[e.key] = e.value
		default:
			all[e.key] = e.name + e.text // of which one is empty
		}
	}
	return all
}

// checkCases compares what the part means: the case has one more grader, as have
// those that repeat it or that are made of the same test, and nothing else is
// another.
func (ip insertionPoint) checkCases(after *analysis.Chunk, criteria []Criterion) error {
	left := slices.Clone(after.Suite.Cases)
	for _, c := range append([]*rubric.Case{ip.testCase}, without(ip.part.Suite.Cases, ip.testCase)...) {
		i := slices.IndexFunc(left, func(now *rubric.Case) bool {
			return now.ID == c.ID && now.ContextFingerprint() == c.ContextFingerprint()
		})
		if i < 0 {
			return fmt.Errorf("adding criteria would make another case of `%s`", c.ID)
		}
		graders := left[i].Graders
		left = slices.Delete(left, i, i+1)
		fresh := slices.IndexFunc(graders, func(g *rubric.Grader) bool { return matchesCriteria(g, criteria) })
		switch {
		case fresh >= 0 && (c.Span == ip.testCase.Span || c.ID == ip.testCase.ID && c.ContextFingerprint() == ip.testCase.ContextFingerprint()):
			graders = slices.Delete(slices.Clone(graders), fresh, fresh+1)
		case c == ip.testCase:
			return errors.New("the runner would not read the criteria as they were drafted")
		}
		if !slices.EqualFunc(c.Graders, graders, func(x, y *rubric.Grader) bool { return x.Name == y.Name && x.Fingerprint() == y.Fingerprint() }) {
			return fmt.Errorf("adding criteria would change the other graders of `%s`", c.ID)
		}
	}
	return nil
}

func without(cases []*rubric.Case, c *rubric.Case) []*rubric.Case {
	return slices.DeleteFunc(slices.Clone(cases), func(other *rubric.Case) bool { return other == c })
}

// matchesCriteria reports whether a grader is what the runner makes of criteria.
func matchesCriteria(g *rubric.Grader, criteria []Criterion) bool {
	return slices.EqualFunc(g.Criteria, criteria, func(x *rubric.Criterion, y Criterion) bool {
		return x.ID == y.ID && x.Text == y.ExpectedOutcome && x.Weight == y.Weight && x.IsRequired() == y.Required && !x.HasBands()
	})
}

// counterpartOf is the node of after that stands where n stood: the edit comes after
// n's start, so that is where it still begins.
func counterpartOf(before, after *yaml.Tree, n *yaml.Node) (found *yaml.Node) {
	for i, doc := range before.Docs {
		if rootOf(n) != doc.Root {
			continue
		}
		yaml.Walk(after.Docs[i].Root, func(m *yaml.Node) bool {
			if found == nil && m.Span.Start == n.Span.Start && m.Kind == n.Kind && m.Path() == n.Path() {
				found = m
			}
			return found == nil
		})
	}
	return found
}

func rootOf(n *yaml.Node) *yaml.Node {
	for n.Parent != nil {
		n = n.Parent
	}
	return n
}
