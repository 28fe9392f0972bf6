// Package agentv has what the versions of AgentV's files share: the names of keys in each version, the
// roles of files, targets, labels and the kinds of losses.
//
// Each version has a package with its field tables and its lowering, and builds on the one before:
// package seed reads `evalcases` of early 2026, package v4 reads 4.42.4, package head what came after.
// Package assertion reads the lists of graders of the later versions, package bands score ranges.
//
// Lowering follows the loader of the reference implementation. It records everything that the loader
// skips, coerces or refuses as a loss, so that scores agree and no data disappears silently.
//
// The packages read syntax trees. They open no files and word no diagnostics.
package agentv

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Name is the dialect's name.
const Name = "agentv"

// CasesKey is the key of the list of cases in Seed's files.
const CasesKey = "evalcases"

// Version is a release of AgentV whose behaviour is reproduced in full. The value is its name in
// results and conformance cases.
type Version string

// The versions, oldest first.
const (
	Seed Version = "seed"          // 2.5.8, as of 2026-02-06
	V4   Version = "stable-4.42.4" // 2026-06-19
	Head Version = "head"          // 5.3.1-next.1, as of 2026-07-08
)

// File is a kind of file of this dialect.
type File struct {
	Version Version // "" for the seed's
	Role    Role
	Name    string // the JSON Schema's name, as `rubric schema` takes it
	Title   string
	Type    *schema.Type
}

// CasesKeys are the keys of the list of cases in later versions, newest first. Head accepts only the first.
var CasesKeys = []string{"tests", "cases", "eval_cases"}

// DetectVersion returns the version of a YAML file, or "" if it is neither. Head has prompts and
// variables; otherwise the version counts that has more of the file's words. The file is a suite, a
// list of tests or a list of scenarios.
func DetectVersion(root *yaml.Node) Version {
	if root.IsSeq() {
		if v := detectTestsVersion(root.List()); v != "" {
			return v
		}
		return V4
	}
	tests := FirstValue(root, CasesKeys...)
	words := CountWords(root)
	if tests.IsNull() && !words.IsHead {
		return ""
	}
	return words.Add(CountTestWords(tests.List())).Version()
}

// Words counts the words of a file that show its version.
type Words struct {
	IsHead      bool // a part that only Head accepts
	Head, Older int  // words that only Head knows, and words that it no longer knows
}

// Add returns the words of both.
func (w Words) Add(other Words) Words {
	return Words{w.IsHead || other.IsHead, w.Head + other.Head, w.Older + other.Older}
}

// Version returns the version that the words show.
func (w Words) Version() Version {
	if w.IsHead || w.Head > w.Older {
		return Head
	}
	return V4
}

// CountWords counts the words of a suite without its tests.
func CountWords(root *yaml.Node) (w Words) {
	for _, key := range []string{"prompts", "default_test", "scenarios"} {
		w.IsHead = w.IsHead || !root.Get(key).IsNull() && (key == "scenarios" || !root.Get("tests").IsNull())
	}
	w.countTable(root.Get("tests"))
	w.countKeys(root, InFile)
	return w
}

// CountTestWords counts the words of tests.
func CountTestWords(tests []*yaml.Node) (w Words) {
	for _, test := range tests {
		w.IsHead = w.IsHead || IsHeadOnly(test)
		w.countTable(test)
		w.countKeys(test, InCase)
	}
	return w
}

// countTable counts a reference to a CSV table of tests, which only Head reads.
func (w *Words) countTable(reference *yaml.Node) {
	if name, isText := reference.Str(); isText && strings.EqualFold(path.Ext(name), ".csv") {
		w.Head++
	}
}

// countKeys counts the keys of a mapping, and those of the graders and types in it.
func (w *Words) countKeys(n *yaml.Node, in Scope) {
	for _, p := range n.Entries() {
		w.count(p.Key.Value, in)
		if p.Key.Value == "type" {
			w.count(p.Value.Value, InType)
		}
		if p.Key.Value == "assert" || p.Key.Value == "assertions" {
			for _, entry := range p.Value.List() {
				w.countKeys(entry, InGrader)
			}
		}
	}
}

func (w *Words) count(word string, in Scope) {
	switch since := newerWords()[scopedWord{word, in}]; {
	case since == Head:
		w.Head++
	case since == V4:
		w.Older++
	}
}

type scopedWord struct {
	word string
	in   Scope
}

// newerWords returns the words that only one of V4 and Head reads, with that version.
var newerWords = sync.OnceValue(func() map[scopedWord]Version {
	words := map[scopedWord]Version{}
	for _, c := range Concepts {
		for _, t := range c.Terms {
			read := VersionsReading(t.Text, t.Scope)
			if isHead := slices.Contains(read, Head); isHead != slices.Contains(read, V4) {
				words[scopedWord{t.Text, t.Scope}] = V4
				if isHead {
					words[scopedWord{t.Text, t.Scope}] = Head
				}
			}
		}
	}
	delete(words, scopedWord{"value", InGrader}) // text checks have it in both
	return words
})

// IsHeadOnly reports whether only Head accepts a test.
func IsHeadOnly(test *yaml.Node) bool { return test.Get("vars").IsMap() && test.Get("input") == nil }

// DetectJSONLVersion returns the version of a JSONL file, or "" for Seed.
func DetectJSONLVersion(tree *yaml.Tree) Version {
	var tests []*yaml.Node
	for _, doc := range tree.Docs {
		if HasAnyKey(doc.Root, "expected_outcome", "outcome", "input_messages", "expected_messages", "evaluators") {
			return ""
		}
		tests = append(tests, doc.Root)
	}
	return detectTestsVersion(tests)
}

// detectTestsVersion returns the version of tests outside a suite, judged by their keys.
func detectTestsVersion(tests []*yaml.Node) Version {
	for _, n := range tests {
		switch {
		case HasAnyKey(n, "config", "tests"), IsHeadOnly(n), HasAnyKey(n, "assert") && !HasAnyKey(n, "input"):
			return Head
		case HasAnyKey(n, "assertions", "criteria", "assert"):
			return V4
		}
	}
	return ""
}

// DetectFileVersion returns the later version of a file with a role, or "" if it is none.
func DetectFileVersion(tree *yaml.Tree, role Role) Version {
	switch role {
	case EvalV4, TestList:
		return DetectVersion(tree.Root())
	case Cases:
		return DetectJSONLVersion(tree)
	case ScenarioList, Providers:
		return Head
	case Config:
		if HasAnyKey(tree.Root(), "providers", "defaults", "tests", "eval_patterns", "execution") {
			return Head
		}
	}
	return ""
}
