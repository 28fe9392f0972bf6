package yaml_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/corpustest"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// suiteDirs hold cases in the format of the public YAML test suite: our own, and the
// suite itself where somebody has put it. They are read with the parser under test.
var suiteDirs = []string{"testdata/suite", filepath.Join(corpustest.Folder(), "yaml-test-suite/src")}

type suiteCase struct {
	id, yaml, tree string
	fail           bool
}

// wrongEvents are the valid documents whose events differ, with what the
// library gets wrong.
var wrongEvents = map[string]string{
	"2SXE":    "ends an anchor before a colon that belongs to its name",
	"W5VH":    "ends an anchor before a colon that belongs to its name",
	"8XYN":    "allows only ASCII in an anchor",
	"W4TN":    "reads `...` as text in a block scalar that is not indented",
	"ZYU8/02": "refuses a second version number after %YAML",
}

// undetected are the invalid documents that pass without a problem.
var undetected = map[string]string{}

// legal are the problems that valid documents may have: what nobody means.
var legal = []yaml.ProblemKind{yaml.EmptyKey, yaml.DuplicateKey, yaml.TabProblem}

func TestSuite(t *testing.T) {
	present, seen := map[string]bool{}, map[string]bool{}
	for _, c := range suite(t) {
		present[c.id] = true
		t.Run(c.id, func(t *testing.T) {
			tree := yaml.Parse(text.New("", c.yaml))
			nest(t, tree)
			if c.fail {
				listed(t, undetected, c.id, len(tree.Problems) == 0, "no problem found in\n"+c.yaml, seen)
				return
			}
			got := events(tree)
			same := got == c.tree
			for _, p := range tree.Problems {
				same = same && slices.Contains(legal, p.Kind)
			}
			listed(t, wrongEvents, c.id, !same, fmt.Sprintf("source:\n%s\nproblems: %v\nevents:\n%s\nwant:\n%s", c.yaml, tree.Problems, got, c.tree), seen)
		})
	}
	for _, list := range []map[string]string{wrongEvents, undetected} {
		for id := range list {
			if present[id] && !seen[id] {
				t.Errorf("%s stands in a list of exceptions and is not needed there", id)
			}
		}
	}
}

// listed fails the test when off and the list of exceptions disagree.
func listed(t *testing.T, list map[string]string, id string, off bool, report string, seen map[string]bool) {
	t.Helper()
	_, known := list[id]
	seen[id] = seen[id] || known && off
	if off && !known {
		t.Error(report)
	}
}

func suite(t *testing.T) []suiteCase {
	t.Helper()
	var files []string
	for _, dir := range suiteDirs {
		some, _ := filepath.Glob(filepath.Join(dir, "*.yaml"))
		files = append(files, some...)
	}
	if len(files) == 0 {
		t.Fatal("there are no cases")
	}
	var all []suiteCase
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tree := yaml.Parse(text.New(file, string(body)))
		if len(tree.Problems) > 0 {
			t.Fatalf("%s: %v", file, tree.Problems)
		}
		var before suiteCase
		for i, entry := range tree.Root().List() {
			c := before // what an entry does not say is as in the one before
			c.fail, _ = entry.Get("fail").Bool()
			c.id = strings.TrimSuffix(filepath.Base(file), ".yaml")
			if len(tree.Root().List()) > 1 {
				c.id += fmt.Sprintf("/%02d", i)
			}
			if source, ok := entry.Get("yaml").Str(); ok {
				c.yaml = visible.Replace(tabs.ReplaceAllString(source, "\t"))
				c.yaml = strings.TrimSuffix(c.yaml, "∎\n")
			}
			if tree, ok := entry.Get("tree").Str(); ok {
				c.tree = eventLines(tree)
			}
			before = c
			all = append(all, c)
		}
	}
	return all
}

var (
	tabs    = regexp.MustCompile(`—*»`)
	visible = strings.NewReplacer("␣", " ", "↵", "", "←", "\r", "⇔", "\uFEFF")
	spelled = strings.NewReplacer("<SPC>", " ", "<TAB>", "\t", "␣", " ", "↵", "")
)

func eventLines(tree string) string {
	var out strings.Builder
	for line := range strings.Lines(tree) {
		if line = strings.TrimSpace(line); line != "" {
			out.WriteString(spelled.Replace(line) + "\n")
		}
	}
	return out.String()
}

// events writes a tree in the suite's notation.
func events(tree *yaml.Tree) string {
	w := &eventWriter{tree: tree}
	w.line("+STR")
	for _, doc := range tree.Docs {
		if doc.Root.Span.Empty() && doc.Root.Props.Empty() && !doc.ExplicitStart && len(tree.Docs) == 1 {
			continue // a stream without documents has one all the same
		}
		w.line("+DOC" + when(doc.ExplicitStart, " ---"))
		w.node(doc.Root)
		w.line("-DOC" + when(doc.ExplicitEnd, " ..."))
	}
	w.line("-STR")
	return w.out.String()
}

type eventWriter struct {
	tree *yaml.Tree
	out  strings.Builder
}

func (w *eventWriter) line(s string) { w.out.WriteString(s + "\n") }

func (w *eventWriter) node(n *yaml.Node) {
	props := when(n.Anchor != "", " &"+n.Anchor)
	if n.Tagged {
		tag := n.Tag
		if long, ok := strings.CutPrefix(tag, "!!"); ok {
			tag = "tag:yaml.org,2002:" + long
		}
		for _, word := range strings.Fields(w.tree.Source.Slice(n.Props)) {
			if word == "!" {
				tag = "!"
			}
		}
		props += " <" + tag + ">"
	}
	flow := n.Style == yaml.Flow
	switch n.Kind {
	case yaml.Mapping:
		w.line("+MAP" + when(flow, " {}") + props)
		for _, p := range n.Pairs {
			w.node(p.Key)
			w.node(p.Value)
		}
		w.line("-MAP")
	case yaml.Sequence:
		w.line("+SEQ" + when(flow, " []") + props)
		for _, item := range n.Items {
			w.node(item)
		}
		w.line("-SEQ")
	case yaml.Alias:
		w.line("=ALI *" + n.Value)
	default:
		mark := map[yaml.Style]string{yaml.Plain: ":", yaml.SingleQuoted: "'", yaml.DoubleQuoted: `"`, yaml.Literal: "|", yaml.Folded: ">"}[n.Style]
		w.line("=VAL" + props + " " + mark + escaped.Replace(n.Value))
	}
}

var escaped = strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\t", `\t`, "\b", `\b`, "\r", `\r`)

func when(yes bool, s string) string {
	if yes {
		return s
	}
	return ""
}
