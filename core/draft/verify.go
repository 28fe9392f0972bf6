package draft

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/analysis/rewrite"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// tryEdit applies an edit of the chunk to the file, and verifies the result.
func (ip insertionPoint) tryEdit(a *analysis.Analysis, edit text.Edit, criteria []Criterion) (*analysis.Analysis, error) {
	next, after, err := rewrite.TryEdits(a, ip.chunk, []text.Edit{edit})
	if err != nil {
		return nil, errors.New("adding criteria here would affect more than the case")
	}
	if err := ip.checkText(after.Tree); err != nil {
		return nil, err
	}
	return next, ip.checkCases(after, criteria)
}

// checkText verifies that comments and other values did not change.
func (ip insertionPoint) checkText(after *yaml.Tree) error {
	before := ip.chunk.Tree
	switch {
	case len(after.Problems) > len(before.Problems):
		return errors.New("the text around the case is broken, so criteria cannot be added safely: " + after.Problems[0].Message)
	case !rewrite.SameComments(before, after):
		return errors.New("adding criteria here would change a comment")
	case len(after.Docs) != len(before.Docs):
		return errors.New("adding criteria here would change the division into documents")
	}
	at := cmp.Or(ip.graderList, ip.caseNode)
	change := countLeaves(after)
	for leaf, count := range countLeaves(before) {
		change[leaf] -= count
	}
	replaced := ip.graderList
	if ip.emptyEntry != nil {
		replaced = ip.emptyEntry.Value
	}
	if replaced != nil && isLeaf(replaced) {
		change[leafName(replaced)]++
	}
	for leaf, count := range change {
		if count < 0 || count > 0 && !strings.HasPrefix(leaf, at.Path()) {
			return fmt.Errorf("adding criteria to the case `%s` would change another value", ip.testCase.ID)
		}
	}
	return nil
}

// countLeaves counts the keys, scalars and empty collections of a tree by [leafName].
func countLeaves(t *yaml.Tree) map[string]int {
	found := map[string]int{}
	for _, doc := range t.Docs {
		yaml.Walk(doc.Root, func(n *yaml.Node) bool {
			if isLeaf(n) {
				found[leafName(n)]++
			}
			return true
		})
	}
	return found
}

func isLeaf(n *yaml.Node) bool { return len(n.Items)+len(n.Pairs) == 0 }

// leafName returns the path and the value of a node, or the name of an alias.
func leafName(n *yaml.Node) string {
	if n.Kind == yaml.Alias {
		return n.Path() + " = *" + n.Value
	}
	return fmt.Sprintf("%s = %#v", n.Path(), n.Any())
}

// checkCases compares the lowered cases. The case, and cases that repeat or derive from the same
// node, must gain exactly the new grader. Nothing else may change.
func (ip insertionPoint) checkCases(after *analysis.Chunk, criteria []Criterion) error {
	others := slices.DeleteFunc(slices.Clone(readCases(ip.chunk)), func(c *rubric.Case) bool {
		return c == ip.testCase || ip.chunk.ADK != nil && c.Span == ip.testCase.Span
	})
	left := slices.Clone(readCases(after))
	for _, c := range append([]*rubric.Case{ip.testCase}, others...) {
		i := slices.IndexFunc(left, func(now *rubric.Case) bool {
			return now.ID == c.ID && now.ContextFingerprint() == c.ContextFingerprint()
		})
		if i < 0 {
			return fmt.Errorf("adding criteria would change the case `%s`", c.ID)
		}
		graders := left[i].Graders
		left = slices.Delete(left, i, i+1)
		fresh := slices.IndexFunc(graders, func(g *rubric.Grader) bool { return matchesCriteria(g, criteria) })
		switch {
		case fresh >= 0 && (c.Span == ip.testCase.Span || c.ID == ip.testCase.ID && c.ContextFingerprint() == ip.testCase.ContextFingerprint()):
			graders = slices.Delete(slices.Clone(graders), fresh, fresh+1)
		case c == ip.testCase:
			return errors.New("the runner would not read the criteria as drafted")
		}
		if !slices.EqualFunc(c.Graders, graders, func(x, y *rubric.Grader) bool { return x.Name == y.Name && x.Fingerprint() == y.Fingerprint() }) {
			return fmt.Errorf("adding criteria would change the other graders of `%s`", c.ID)
		}
	}
	return nil
}

// matchesCriteria reports whether g is the lowered form of criteria.
func matchesCriteria(g *rubric.Grader, criteria []Criterion) bool {
	return slices.EqualFunc(g.Criteria, criteria, func(x *rubric.Criterion, y Criterion) bool {
		return x.ID == y.ID && x.Text == y.ExpectedOutcome && x.Weight == y.Weight && x.IsRequired() == y.Required && !x.HasBands()
	})
}

// Combine returns the file with several drafts applied, each of which has been verified alone. It
// returns an error if they do not work together.
func Combine(a *analysis.Analysis, drafts []Draft) (*analysis.Analysis, error) {
	var edits []text.Edit
	for _, d := range drafts {
		edits = append(edits, d.Edits...)
	}
	after := rewrite.ApplyEdits(a, edits)
	if !rewrite.SameComments(a.Tree(), after.Tree()) {
		return nil, errors.New("the drafts together would change a comment")
	}
	moved := 0
	inOrder := slices.Clone(drafts)
	sort.Slice(inOrder, func(i, j int) bool { return inOrder[i].Case.Span.Start < inOrder[j].Case.Span.Start })
	for _, d := range inOrder {
		now := *d.Case
		now.Span = now.Span.Shift(moved)
		if at := findInsertedCase(after, &now); len(at.criteria) != len(d.Criteria) {
			return nil, fmt.Errorf("the draft for the case `%s` does not work together with the others", d.Case.ID)
		}
		for _, e := range d.Edits {
			moved += len(e.New) - e.Span.Len()
		}
	}
	if after.CountErrors() > a.CountErrors() {
		return nil, errors.New("the drafts together would add an error to the file")
	}
	return after, nil
}
