package v4

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/assertion"
	"github.com/rubric-ls/rubric/core/dialect/internal/testtable"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// FileScheme marks a string that is a file's path.
const FileScheme = "file://"

// includedFile is a file that is read in place of a reference.
type includedFile struct {
	path string
	span text.Span // the reference; all contents of the file have this span
}

// loadTestsFile reads the tests of another file, or of all files that a pattern matches.
func (l *Loader) loadTestsFile(at *yaml.Node, reference string) {
	if name := TrimFileScheme(reference); isPattern(name) && l.ListFiles != nil {
		files := l.ListFiles(name)
		for _, file := range files {
			l.loadMatchedTests(at, file)
		}
		if len(files) == 0 {
			l.AddLoss(PatternUnmatched, rubric.Warns, at, name)
		}
		return
	}
	l.loadMatchedTests(at, reference)
}

// loadMatchedTests reads the tests of another file, whose name may look like a pattern.
func (l *Loader) loadMatchedTests(at *yaml.Node, reference string) {
	items, ids, ok := l.readFolder(at, reference)
	if !ok {
		items, ok = l.readFile(at, reference, "tests", TestsInOtherFile)
	}
	if !ok {
		return
	}
	file := includedFile{TrimFileScheme(reference), agentv.SpanOf(at)}
	suite := l.Cache.suites.GetOr(file.path, func() *rubric.Suite { return l.loadIncluded(items, ids, file) })
	l.Losses = append(l.Losses, suite.Losses...)
	if skipped := len(suite.Skipped); skipped > 0 && !file.isTable() {
		l.AddLoss(TestsSkipped, rubric.Refuses, at, fmt.Sprintf("%d of the tests of %s", skipped, file.path))
	}
	for _, c := range suite.Cases[:min(len(suite.Cases), *l.Remaining)] {
		copied := *c
		file.relocate(&copied)
		l.Suite.Cases = append(l.Suite.Cases, &copied)
		*l.Remaining--
	}
}

// IsIncluded reports whether the tests being read are those of another file.
func (l *Loader) IsIncluded() bool { return l.included != nil }

// relocate sets the case's spans to the reference.
func (f includedFile) relocate(c *rubric.Case) {
	c.SourceFile, c.Span, c.SelectionSpan, c.IDSpan, c.OutcomeSpan = f.path, f.span, f.span, f.span, f.span
}

func (f includedFile) isTable() bool { return strings.EqualFold(path.Ext(f.path), ".csv") }

// rowFaults say what the runner does with a row of a table, by the kind of its loss; %s is the detail.
var rowFaults = map[string]string{
	assertion.TypeUnsupported: "skips this test, because it does not read `grade:` and `llm-rubric:`",
	assertion.ValueMissing:    "skips `%s`, which has no value",
	agentv.CaseIncomplete:     "skips this test, because nothing grades it",
}

// loadIncluded returns the suite of another file's tests. Its losses are those of a table, which cannot be checked by itself.
func (l *Loader) loadIncluded(items []*yaml.Node, ids []string, file includedFile) *rubric.Suite {
	sub := *l
	sub.Suite, sub.included, sub.At, sub.Losses = &rubric.Suite{}, &file, &file.span, nil
	for i, n := range items[:min(len(items), MaxCases)] {
		if len(ids) > 0 && n.Get("id").IsNull() {
			sub.GeneratedID = ids[i]
		}
		lost := len(sub.Losses)
		sub.LoadTest(n)
		for _, loss := range sub.Losses[lost:] {
			if fault := rowFaults[loss.Kind]; fault != "" && file.isTable() {
				detail := fmt.Sprintf("%s: row %d: the runner %s", file.path, i+1, strings.ReplaceAll(fault, "%s", loss.Detail))
				sub.Suite.Losses = append(sub.Suite.Losses, rubric.Loss{Kind: RowLost, Level: rubric.Refuses, Span: file.span, Detail: detail})
			}
		}
		sub.GeneratedID = ""
		for _, variable := range n.Get("vars").Entries() {
			if near := testtable.NearestSetting(variable.Key.Value); near != "" && file.isTable() && i == 0 {
				detail := fmt.Sprintf("%s: the column `%s` is a variable and no setting; did you mean `%s`?", file.path, variable.Key.Value, near)
				sub.Suite.Losses = append(sub.Suite.Losses, rubric.Loss{Kind: RowLost, Level: rubric.Refuses, Span: file.span, Detail: detail})
			}
		}
	}
	return sub.Suite
}

// readFolder returns the tests in a folder and the names of their own folders, which are their ids unless
// they have one: each folder in it has a test in case.yaml. ok is false for any other reference.
func (l *Loader) readFolder(at *yaml.Node, reference string) (items []*yaml.Node, ids []string, ok bool) {
	name := TrimFileScheme(reference)
	if l.Version == agentv.V4 && name != reference || l.ReadFile == nil || l.ListFiles == nil || path.Ext(name) != "" && !strings.HasSuffix(name, "/") || isPattern(name) {
		return nil, nil, false
	}
	for _, file := range l.ListFiles(strings.TrimSuffix(name, "/") + "/*/case.{yaml,yml}") {
		id := path.Base(path.Dir(file))
		tree := l.Cache.loadTree(file, yaml.Parse, l.ReadFile)
		if tree == nil || slices.Contains(ids, id) {
			continue
		}
		if !tree.Root().IsMap() || tree.HasUnboundedAliases() {
			l.FailFile(FileInvalid, at, file)
		}
		items, ids = append(items, tree.Root()), append(ids, id)
	}
	return items, ids, len(items) > 0
}

func isPattern(name string) bool { return strings.ContainsAny(name, "*?{") }

// WithIncludedFile calls read with all spans set to the reference. It drops the losses, which
// belong to the other file.
func (l *Loader) WithIncludedFile(at *yaml.Node, reference string, read func()) {
	losses := len(l.Losses)
	l.included = &includedFile{TrimFileScheme(reference), agentv.SpanOf(at)}
	l.At = &l.included.span
	read()
	l.included, l.At = nil, nil
	l.Losses = l.Losses[:losses:losses]
}

// TrimFileScheme returns the path in a reference.
func TrimFileScheme(reference string) string { return strings.TrimPrefix(reference, FileScheme) }

// ReadItems returns the items of another file, or of the files that a pattern matches: a list of mappings, or
// a mapping with such a list under key. It records the loss unread for programs, tables in versions without
// them, and all that it cannot read.
func (l *Loader) ReadItems(at *yaml.Node, reference, key, unread string) (items []*yaml.Node, ok bool) {
	name := TrimFileScheme(reference)
	if isPattern(name) && l.ListFiles != nil {
		for _, file := range l.ListFiles(name) {
			more, read := l.readFile(at, file, key, unread)
			items, ok = append(items, more...), ok || read
		}
		if !ok {
			l.AddLoss(PatternUnmatched, rubric.Warns, at, name)
		}
		return items, ok
	}
	return l.readFile(at, reference, key, unread)
}

// readFile returns the items of a file, whose name may look like a pattern.
func (l *Loader) readFile(at *yaml.Node, reference, key, unread string) (items []*yaml.Node, ok bool) {
	name := TrimFileScheme(reference)
	ending := strings.ToLower(path.Ext(name))
	parse := map[string]func(*text.Source) *yaml.Tree{".yaml": yaml.Parse, ".yml": yaml.Parse, ".json": yaml.Parse, ".jsonl": yaml.ParseJSONL}[ending]
	if ending == ".csv" && key == "tests" {
		parse = l.ParseCSV
	}
	isUnlisted := l.ListFiles == nil && isPattern(name)
	hasFormat := ending != "" || l.ListFiles != nil && name != reference // a folder has none
	if l.Version == agentv.V4 && hasFormat && !isUnlisted && !slices.Contains([]string{".yaml", ".yml", ".jsonl"}, ending) {
		l.FailFile(FormatRefused, at, name)
		return nil, false
	}
	if l.ReadFile == nil || parse == nil || isUnlisted {
		l.AddLoss(unread, rubric.Silent, at, name)
		return nil, false
	}
	tree := l.Cache.loadTree(name, parse, l.ReadFile)
	if tree == nil {
		l.AddLoss(FileMissing, rubric.Refuses, at, name)
		return nil, false
	}
	if l.Version == agentv.V4 {
		key = "" // a list, not a mapping with one
	}
	if items, ok = fileItems(tree, key); !ok && ending == ".csv" {
		l.FailFile(TableInvalid, at, name+": "+tree.Problems[0].Message)
	} else if !ok {
		l.FailFile(FileInvalid, at, name)
	} else if ending == ".csv" {
		for _, p := range tree.Problems {
			l.AddLoss(RowLost, rubric.Warns, at, name+": "+p.Message)
		}
	}
	return items, ok
}

// fileItems returns the mappings in a file, which may be under key. ok is false if the file holds anything else.
func fileItems(tree *yaml.Tree, key string) (items []*yaml.Node, ok bool) {
	for _, p := range tree.Problems {
		if p.Kind == yaml.SyntaxProblem || p.Kind == yaml.DuplicateKey {
			return nil, false
		}
	}
	if tree.HasUnboundedAliases() {
		return nil, false
	}
	root := tree.Root()
	switch {
	case slices.Contains([]string{".jsonl", ".csv"}, strings.ToLower(path.Ext(tree.Source.Name))):
		items, _ = agentv.ReadLines(tree)
	case len(tree.Docs) > 1:
		return nil, false
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
	if slices.ContainsFunc(items, func(n *yaml.Node) bool { return !n.IsMap() }) {
		return nil, false
	}
	return items, true
}

// FileCache holds the parsed contents of referenced files for one suite. It reads each file once.
// The zero value is empty and ready for concurrent use.
type FileCache struct {
	trees  generic.Lookups[string, *yaml.Tree]    // by reference; nil if the file does not exist
	suites generic.Lookups[string, *rubric.Suite] // by path
}

// HasEntries reports whether any file has been referenced.
func (c *FileCache) HasEntries() bool { return len(c.trees.All()) > 0 }

// loadTree returns the tree of a file, or nil if the file does not exist.
func (c *FileCache) loadTree(name string, parse func(*text.Source) *yaml.Tree, readFile func(string) (string, bool)) *yaml.Tree {
	return c.trees.GetOr(name, func() *yaml.Tree {
		if body, found := readFile(name); found {
			return parse(text.New(name, body))
		}
		return nil
	})
}

// templateDir is the directory of templates that are named without a path.
const templateDir = ".agentv/templates/"

// AssertionReader returns a reader for assertion lists and the templates that they include.
func (l *Loader) AssertionReader() assertion.Reader {
	r := assertion.Reader{Version: l.Version, DefaultPrompt: l.Root.Get("default_test").Get("options").Get("rubric_prompt"), Preprocessors: l.Root.Get("preprocessors"), ShownAt: l.At}
	if l.ReadFile != nil {
		r.Include = l.findTemplate
	}
	return r
}

// findTemplate returns the template that ref names in the file from: by its path relative to that
// file, or by its name.
func (l *Loader) findTemplate(ref, from string) (string, *yaml.Tree) {
	names := []string{templateDir + ref + ".yaml", templateDir + ref + ".yml"}
	if strings.HasPrefix(ref, ".") || strings.Contains(ref, "/") || l.Version != agentv.V4 && path.Ext(ref) != "" {
		names = []string{path.Join(path.Dir(from), ref)}
	}
	for _, name := range names {
		if tree := l.Cache.loadTree(name, yaml.Parse, l.ReadFile); tree != nil {
			return name, tree
		}
	}
	return "", nil
}
