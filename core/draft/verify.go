package draft

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// verify applies the edits to a copy and compares what is read before and after.
func verify(tree *yaml.Tree, entry *yaml.Node, key string, criteria []Criterion, edits []text.Edit) error {
	body, err := text.Apply(tree.Source.Body, edits)
	if err != nil {
		return err
	}
	parse := yaml.Parse
	if strings.HasSuffix(tree.Source.Name, ".jsonl") {
		parse = yaml.ParseLines
	}
	after := parse(text.New(tree.Source.Name, body))
	if len(after.Problems) > len(tree.Problems) {
		return errors.New("the text around the case is broken, so criteria cannot be added safely: " + after.Problems[0].Message)
	}
	if !reflect.DeepEqual(comments(tree), comments(after)) {
		return errors.New("adding criteria here would change a comment")
	}
	if len(after.Docs) != len(tree.Docs) {
		return errors.New("adding criteria here would change how the text is divided into documents")
	}
	changed := twin(tree, after, entry)
	if changed == nil || changed.Kind != yaml.Mapping || changed.Pair(key) == nil {
		return errors.New("adding criteria here would move the case")
	}
	if !reflect.DeepEqual(changed.Get(key).Any(), wanted(criteria)) {
		return errors.New("the criteria would not be read back as they were drafted")
	}
	for i := range tree.Docs {
		before, now := tree.Docs[i].Root.Any(), after.Docs[i].Root.Any()
		if holds(tree.Docs[i].Root, entry) {
			now = without(after.Docs[i].Root, changed, key)
		}
		if !reflect.DeepEqual(before, now) {
			return fmt.Errorf("adding criteria at %s would change another value", entry.Path())
		}
	}
	return nil
}

func comments(tree *yaml.Tree) []string {
	texts := make([]string, len(tree.Comments))
	for i, c := range tree.Comments {
		texts[i] = c.Text
	}
	return texts
}

func wanted(criteria []Criterion) any {
	list := make([]any, len(criteria))
	for i, c := range criteria {
		list[i] = map[string]any{"id": c.ID, "expected_outcome": c.ExpectedOutcome, "weight": c.Weight, "required": c.Required}
	}
	return list
}

// twin is the node of after that stands where n stood: the edit comes after
// n's start, so that is where it still begins.
func twin(before, after *yaml.Tree, n *yaml.Node) *yaml.Node {
	var found *yaml.Node
	for i, doc := range before.Docs {
		if !holds(doc.Root, n) {
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

func holds(root, n *yaml.Node) bool { return documentOf(n) == root }

// without is the plain value of root with one entry's key taken out, wherever
// aliases repeat that entry.
func without(root, entry *yaml.Node, key string) any {
	kept := *entry
	kept.Pairs = nil
	for _, p := range entry.Pairs {
		if p.Key.Value != key {
			kept.Pairs = append(kept.Pairs, p)
		}
	}
	saved := *entry
	*entry = kept // the tree is ours alone: it was parsed for this comparison
	defer func() { *entry = saved }()
	return root.Any()
}
