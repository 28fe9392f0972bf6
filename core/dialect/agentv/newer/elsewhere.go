package newer

import (
	"fmt"
	"path"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv/loss"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// filePrefix marks a text that is a file's path.
const filePrefix = "file://"

// other is a file that is read in the place of a reference to it.
type other struct {
	path string
	span text.Span // of the reference, where all that the file holds is shown
}

// elsewhere reads the tests of another file.
func (l *lowering) elsewhere(at *yaml.Node, reference string) {
	items, ok := l.read(at, reference, "tests", TestsElsewhere)
	if !ok {
		return
	}
	place := other{bare(reference), loss.Shown(at)}
	suite := l.Others.suite(place.path, func() *rubric.Suite { return l.lowered(items, place) })
	if skipped := len(suite.Skipped); skipped > 0 {
		l.lose(TestsSkipped, rubric.Refuses, at, fmt.Sprintf("%d of the tests of %s", skipped, place.path))
	}
	for _, c := range suite.Cases[:min(len(suite.Cases), *l.Left)] {
		copied := *c
		place.put(&copied)
		l.suite.Cases = append(l.suite.Cases, &copied)
		*l.Left--
	}
}

// put shows a case where its file is referred to.
func (o other) put(c *rubric.Case) {
	c.From, c.Span, c.Head, c.IDSpan, c.OutcomeSpan = o.path, o.span, o.span, o.span, o.span
}

// lowered is what the tests of another file amount to.
func (l *lowering) lowered(items []*yaml.Node, place other) *rubric.Suite {
	sub := *l
	sub.suite, sub.other = &rubric.Suite{}, &place
	for _, n := range items[:min(len(items), mostCases)] {
		sub.test(n)
	}
	return sub.suite
}

// within reads in the place of a reference. What is lost there is told where the
// file itself is looked at.
func (l *lowering) within(at *yaml.Node, reference string, read func()) {
	losses := len(l.suite.Losses)
	l.other = &other{bare(reference), loss.Shown(at)}
	read()
	l.other = nil
	l.suite.Losses = l.suite.Losses[:losses:losses]
}

func bare(reference string) string { return strings.TrimPrefix(reference, filePrefix) }

// read gives the items of another file, a list of mappings or a mapping with
// such a list under key. What nobody can read here is lost as unread: programs,
// tables, several files at once, and all where files cannot be told.
func (l *lowering) read(at *yaml.Node, reference, key, unread string) (items []*yaml.Node, ok bool) {
	name := bare(reference)
	ending := strings.ToLower(path.Ext(name))
	parse := map[string]func(*text.Source) *yaml.Tree{".yaml": yaml.Parse, ".yml": yaml.Parse, ".json": yaml.Parse, ".jsonl": yaml.ParseLines}[ending]
	if l.Files == nil || parse == nil || strings.ContainsAny(name, "*?{") {
		l.lose(unread, rubric.Silent, at, name)
		return nil, false
	}
	tree := l.Others.tree(name, parse, l.Files)
	if tree == nil {
		l.lose(FileMissing, rubric.Warns, at, name)
		return nil, false
	}
	if items, ok = itemsOf(tree, key); !ok {
		l.lose(FileInvalid, rubric.Refuses, at, name).Fatal = true
	}
	return items, ok
}

// itemsOf are the mappings that a file holds; false if it holds anything else.
func itemsOf(tree *yaml.Tree, key string) (items []*yaml.Node, ok bool) {
	for _, p := range tree.Problems {
		if p.Kind == yaml.SyntaxProblem {
			return nil, false
		}
	}
	if tree.Endless() {
		return nil, false
	}
	root := tree.Root()
	switch {
	case strings.EqualFold(path.Ext(tree.Source.Name), ".jsonl"):
		for _, doc := range tree.Docs {
			if !doc.Root.IsNull() {
				items = append(items, doc.Root)
			}
		}
	case root.IsNull():
		return nil, true
	case root.IsMap():
		root = root.Get(key)
		fallthrough
	default:
		if !root.IsSeq() {
			return nil, false
		}
		items = root.List()
	}
	for _, n := range items {
		if !n.IsMap() {
			return nil, false
		}
	}
	return items, true
}
