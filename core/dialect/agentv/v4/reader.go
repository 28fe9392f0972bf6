// Package v4 reads eval files and has the field tables of AgentV 4, whose files have `tests` instead of
// `evalcases`, `criteria` instead of `expected_outcome` and assertion lists instead of evaluators.
//
// A [Reader] follows the loader of a [Format]: that of release 4, of Seed, or of a version that builds on
// them. It opens no files; ReadFile and ListFiles supply other files, which are losses without
// them. Tests that programs write are always losses.
package v4

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/seed"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Format is what versions read in their own way.
type Format struct {
	Version    agentv.Version // "" for Seed
	CaseKeys   []string       // keys of the list of cases; the first one present counts
	NoTests    string         // the loss of a file without such a list
	ListsOnly  bool           // no other file may have the list, or a case of it
	GraderKeys []string       // keys of lists of graders, in a test and in a suite
	// Header reads the settings of all tests, and returns the function that reads one test.
	Header func(*Loader) func(*Loader, *yaml.Node)
	// Scenarios reads the list under `scenarios`. It is nil in a version without scenarios.
	Scenarios func(l *Loader, list *yaml.Node)
	// ParseCSV returns the tests of a table as the tree of a JSONL file. It is nil in a version that reads none.
	ParseCSV func(*text.Source) *yaml.Tree
	// Thresholds returns the mappings of a file and a test that may have a `threshold`; the first counts.
	Thresholds func(root, test *yaml.Node) []*yaml.Node
	// UnreadThreshold says that a `threshold` of the test itself is accepted and not read.
	UnreadThreshold bool
	// Fallback grades a test without graders.
	Fallback rubric.Kind
	// IsSpecified reports whether a test without `criteria` says what its answer must be. The others are skipped.
	IsSpecified func(l *Loader, c *rubric.Case, n *yaml.Node) bool
}

// Seed is the format of early 2026, whose cases package seed reads.
var Seed = Format{
	CaseKeys: []string{agentv.CasesKey}, NoTests: agentv.CasesNotList, ListsOnly: true,
	Header: func(l *Loader) func(*Loader, *yaml.Node) {
		l.Suite.Name = l.Name
		h := l.ReadHeader(l.Suite, l.Root)
		return func(l *Loader, n *yaml.Node) {
			c, missing, refused := l.ReadCase(h, n)
			l.keep(c, missing, refused)
		}
	},
}

// V4 is the format of release 4.
var V4 = Format{
	Version: agentv.V4, CaseKeys: agentv.CasesKeys, NoTests: TestsMissing, GraderKeys: []string{"assert", "assertions", "evaluators", "rubrics"}, Fallback: rubric.LLMJudge,
	Header: func(l *Loader) func(*Loader, *yaml.Node) {
		l.Suite.Targets = agentv.ReadTargetNames(l.Root)
		return (*Loader).readTest
	},
	Thresholds: func(root, test *yaml.Node) []*yaml.Node {
		return []*yaml.Node{test.Get("execution"), root.Get("execution")}
	},
	IsSpecified: func(_ *Loader, c *rubric.Case, n *yaml.Node) bool {
		return len(c.Expected) > 0 || agentv.HasAnyKey(n, "assert", "assertions")
	},
}

// Reader reads the files of one version.
type Reader struct {
	Format
	Name string // the file's base name without extensions; the suite's default name
	// ReadFile returns the text of a referenced file. If it is nil, such files stay unread.
	ReadFile func(reference string) (body string, found bool)
	// ListFiles returns the sorted paths of the files that a pattern matches. If it is nil, patterns and
	// folders stay unread.
	ListFiles func(pattern string) []string
	// Cache shares referenced files among several readings of one file. It may be nil.
	Cache *FileCache
	// Remaining is the number of tests from other files that may still be added, shared among
	// several readings of one file. At 0 such tests are checked and left out. It may be nil.
	Remaining *int
}

// Loader reads one file.
type Loader struct {
	Reader
	seed.Loader            // At is that of the reference while another file is read
	Root        *yaml.Node // nil for a list of tests
	Suite       *rubric.Suite
	GeneratedID string // id for a test without its own; may be ""

	readOne    func(*Loader, *yaml.Node) // reads one test
	standalone bool                      // the file is a list of tests; the suite that includes it may set more
	included   *includedFile             // the referenced file being read; nil in the file itself
}

// LowerSuite reads an eval file. The result is never nil; the losses list all that the loader
// skips.
func (r Reader) LowerSuite(tree *yaml.Tree) *rubric.Suite {
	return r.lower(tree.Root(), []*yaml.Tree{tree}, func(l *Loader) {
		if !l.Root.IsMap() {
			l.FailFile(agentv.RootNotMap, l.Root, "")
			return
		}
		l.readHeader()
		if r.Version == agentv.V4 {
			l.checkMetadata()
			l.refuseRetired(l.Root)
		}
		l.loadTests(agentv.FirstValue(l.Root, r.CaseKeys...))
	})
}

// retiredJudges are the oldest names of judges.
var retiredJudges = []string{"llm_judge", "llm-judge", "code_judge", "code-judge"}

// refuseRetired refuses the file if holder, a file or a test, names a judge by its oldest name.
func (l *Loader) refuseRetired(holder *yaml.Node) {
	n := holder.Get("evaluator")
	if kind := n.Text(); slices.Contains(retiredJudges, kind) {
		l.FailFile(KeyRefused, n, "`evaluator` takes `llm-grader`")
	}
}

// metadataKeys are the keys about a file.
var metadataKeys = []string{"name", "description", "version", "author", "license", "tags", "requires"}

// checkMetadata refuses a file with a name if a key about the file has another form than V4 takes.
func (l *Loader) checkMetadata() {
	name, named := l.Root.Get("name").Str()
	for _, key := range metadataKeys {
		n, takes := l.Root.Get(key), "a text"
		_, ok := n.Str()
		switch key {
		case "name":
			takes, ok = "1 to 64 of a-z, 0-9 and -", strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" && name != "" && len(name) <= 64
		case "tags":
			takes, ok = "a list of texts", n.IsSeq() && len(readTexts(n)) == len(n.List())
		case "requires":
			takes, ok = "a mapping", n.IsMap()
		}
		if named && n != nil && !ok {
			l.FailFile(KeyRefused, n, "`"+key+"` takes "+takes)
		}
	}
}

// LowerChunk reads a list of tests without the rest of the file. Header is the tree of the rest.
func (r Reader) LowerChunk(header, chunk *yaml.Tree) *rubric.Suite {
	return r.lower(header.Root(), []*yaml.Tree{chunk, header}, func(l *Loader) {
		l.readHeader()
		l.Losses = nil // they belong to the header
		l.loadEach(chunk.Root().List())
	})
}

// LowerJSONL reads tests in JSONL. The sidecar is the tree of the YAML file with the same base
// name, which sets defaults for all tests; it may be nil.
func (r Reader) LowerJSONL(tree, sidecar *yaml.Tree) *rubric.Suite {
	var root *yaml.Node
	trees := []*yaml.Tree{tree}
	if sidecar != nil {
		root, trees = sidecar.Root(), append(trees, sidecar)
	}
	return r.lower(root, trees, func(l *Loader) {
		l.readHeader()
		l.standalone = true
		tests, lost := agentv.ReadLines(tree)
		l.Losses = append(l.Losses, lost...)
		l.loadEach(tests)
	})
}

// LowerList reads a file that is a list of tests or of scenarios. The suites that include the
// list hold the input of Head's tests, so these tests are skipped here.
func (r Reader) LowerList(tree *yaml.Tree, role agentv.Role) *rubric.Suite {
	return r.lower(nil, []*yaml.Tree{tree}, func(l *Loader) {
		l.readHeader()
		l.standalone = true
		if role == agentv.ScenarioList {
			l.Scenarios(l, tree.Root())
			return
		}
		l.loadEach(tree.Root().List())
	})
}

// lower reads a file whose settings are in root, which may be nil. Aliases without an end, in any of its
// trees, refuse it.
func (r Reader) lower(root *yaml.Node, trees []*yaml.Tree, read func(*Loader)) *rubric.Suite {
	r.Cache, r.Remaining = cmp.Or(r.Cache, &FileCache{}), cmp.Or(r.Remaining, new(MaxCases))
	l := &Loader{Reader: r, Root: root, Suite: &rubric.Suite{Dialect: agentv.Name, Version: string(r.Version), Name: strings.TrimSuffix(r.Name, ".eval")}}
	if slices.ContainsFunc(trees, (*yaml.Tree).HasUnboundedAliases) {
		l.FailFile(agentv.EndlessAliases, trees[0].Root(), "")
	} else {
		read(l)
	}
	l.Suite.Losses = l.Losses
	return l.Suite
}

// readHeader reads the settings that apply to all tests of the file.
func (l *Loader) readHeader() {
	l.Suite.Description = l.Root.Get("description").Text()
	if own := l.Root.Get("name").Text(); strings.TrimSpace(own) != "" {
		l.Suite.Name = strings.TrimSpace(own)
	}
	l.readOne = l.Header(l)
}

func (l *Loader) loadTests(list *yaml.Node) {
	scenarios := l.Root.Get("scenarios")
	hasScenarios := l.Scenarios != nil && !scenarios.IsNull()
	path, elsewhere := list.Str()
	switch {
	case elsewhere && l.Version == agentv.V4 && (strings.HasPrefix(path, FileScheme) || isPattern(path)):
		l.FailFile(FileMissing, list, path) // it is a path as it is
	case elsewhere && !l.ListsOnly:
		l.loadTestsFile(list, path)
	case list.IsSeq(), list.IsNull() && hasScenarios:
	default:
		l.FailFile(l.NoTests, cmp.Or(list, l.Root.Get(agentv.CasesKey), l.Root), "")
	}
	l.loadEach(list.List())
	if hasScenarios {
		l.Scenarios(l, scenarios)
	}
}

func (l *Loader) loadEach(tests []*yaml.Node) {
	for _, test := range tests {
		l.LoadTest(test)
	}
}

// LoadTest reads a test, or the tests of another file that it names.
func (l *Loader) LoadTest(n *yaml.Node) {
	path, isText := n.Str()
	switch {
	case l.ListsOnly && !n.IsMap():
		l.AddLoss(agentv.CaseNotMap, rubric.Silent, n, "")
	case isText && strings.HasPrefix(path, FileScheme) && l.included == nil:
		l.loadTestsFile(n, path)
	case !n.IsMap():
		l.AddLoss(TestInvalid, rubric.Warns, n, "")
	default:
		l.readOne(l, n)
	}
}

// MaxCases limits the cases that one test expands to, and the tests from other files in a suite. A test
// beyond the limit becomes a single case with its lists unexpanded.
const MaxCases = 10_000

// ReadMessages reads a conversation: a string is a user message, a list holds messages. It drops
// invalid messages; ok is then false.
func ReadMessages(value any) (all []rubric.Message, ok bool) {
	switch v := value.(type) {
	case string:
		return []rubric.Message{{Role: "user", Content: v}}, true
	case []any:
		ok = true
		for _, item := range v {
			m, isMessage := ReadMessage(item)
			if ok = ok && isMessage; isMessage {
				all = append(all, m)
			}
		}
		return all, ok
	case map[string]any:
		if m, isMessage := ReadMessage(v); isMessage {
			return []rubric.Message{m}, true
		}
		return []rubric.Message{{Role: "user", Content: v}}, true
	}
	return nil, value == nil
}

// ReadMessage reads one message. ok is false if the loader refuses it.
func ReadMessage(value any) (m rubric.Message, ok bool) {
	fields, _ := value.(map[string]any)
	m.Role, _ = fields["role"].(string)
	m.Name, _ = fields["name"].(string)
	m.Content, m.ToolCalls = fields["content"], fields["tool_calls"]
	calls, _ := m.ToolCalls.([]any)
	switch m.Content.(type) {
	case string, []any, map[string]any:
		return m, slices.Contains(seed.MessageRoles, m.Role)
	}
	return m, slices.Contains(seed.MessageRoles, m.Role) && len(calls) > 0
}
