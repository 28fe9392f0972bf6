package v4

import (
	"fmt"
	"path"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv/loss"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// fileScheme marks a text that is a file's path.
const fileScheme = "file://"

// includedFile is a file that is read in the place of a reference to it.
type includedFile struct {
	path string
	span text.Span // of the reference, where all that the file holds is shown
}

// loadTestsFile reads the tests of another file.
func (l *suiteLoader) loadTestsFile(at *yaml.Node, reference string) {
	items, ok := l.readItems(at, reference, "tests", TestsInOtherFile)
	if !ok {
		return
	}
	place := includedFile{trimFileScheme(reference), loss.SpanOf(at)}
	suite := l.Cache.loadSuite(place.path, func() *rubric.Suite { return l.loadIncluded(items, place) })
	if skipped := len(suite.Skipped); skipped > 0 {
		l.addLoss(TestsSkipped, rubric.Refuses, at, fmt.Sprintf("%d of the tests of %s", skipped, place.path))
	}
	for _, c := range suite.Cases[:min(len(suite.Cases), *l.Remaining)] {
		copied := *c
		place.relocate(&copied)
		l.suite.Cases = append(l.suite.Cases, &copied)
		*l.Remaining--
	}
}

// relocate shows a case where its file is referred to.
func (f includedFile) relocate(c *rubric.Case) {
	c.SourceFile, c.Span, c.SelectionSpan, c.IDSpan, c.OutcomeSpan = f.path, f.span, f.span, f.span, f.span
}

// loadIncluded is what the tests of another file amount to.
func (l *suiteLoader) loadIncluded(items []*yaml.Node, place includedFile) *rubric.Suite {
	sub := *l
	sub.suite, sub.included = &rubric.Suite{}, &place
	for _, n := range items[:min(len(items), maxCases)] {
		sub.loadTest(n)
	}
	return sub.suite
}

// withIncludedFile reads in the place of a reference. What is lost there is told where the
// file itself is looked at.
func (l *suiteLoader) withIncludedFile(at *yaml.Node, reference string, read func()) {
	losses := len(l.suite.Losses)
	l.included = &includedFile{trimFileScheme(reference), loss.SpanOf(at)}
	read()
	l.included = nil
	l.suite.Losses = l.suite.Losses[:losses:losses]
}

func trimFileScheme(reference string) string { return strings.TrimPrefix(reference, fileScheme) }

// readItems gives the items of another file, a list of mappings or a mapping with
// such a list under key. What nobody can read here is lost as unread: programs,
// tables, several files at once, and all where files cannot be told.
func (l *suiteLoader) readItems(at *yaml.Node, reference, key, unread string) (items []*yaml.Node, ok bool) {
	name := trimFileScheme(reference)
	ending := strings.ToLower(path.Ext(name))
	parse := map[string]func(*text.Source) *yaml.Tree{".yaml": yaml.Parse, ".yml": yaml.Parse, ".json": yaml.Parse, ".jsonl": yaml.ParseJSONL}[ending]
	if l.ReadFile == nil || parse == nil || strings.ContainsAny(name, "*?{") {
		l.addLoss(unread, rubric.Silent, at, name)
		return nil, false
	}
	tree := l.Cache.loadTree(name, parse, l.ReadFile)
	if tree == nil {
		l.addLoss(FileMissing, rubric.Warns, at, name)
		return nil, false
	}
	if items, ok = fileItems(tree, key); !ok {
		l.addLoss(FileInvalid, rubric.Refuses, at, name).Fatal = true
	}
	return items, ok
}

// fileItems are the mappings that a file holds; false if it holds anything else.
func fileItems(tree *yaml.Tree, key string) (items []*yaml.Node, ok bool) {
	for _, p := range tree.Problems {
		if p.Kind == yaml.SyntaxProblem {
			return nil, false
		}
	}
	if tree.HasUnboundedAliases() {
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
