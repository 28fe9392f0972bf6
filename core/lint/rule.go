package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Rule is one lint rule, its page and its proof.
type Rule struct {
	ID       string // kebab-case, a fact about the file, stable for ever
	Summary  string // one sentence for lists, no final period
	Why      string // Markdown: what happens if it is left so, and what to do
	Severity diag.Severity
	Rises    bool // some of what it finds is an error, though its severity is less

	// Bad reports exactly this rule at every ⟦marked⟧ place and nothing else
	// above info but the rules in With; an empty ⟦⟧ marks a caret. Good reports
	// nothing.
	Bad, Good string
	With      []string // rules that nobody can break, or keep, this one without
	// Name is what the examples' file is called; an eval file's by default.
	Name string
	// Beside are files that stand beside it, by their path.
	Beside map[string]string
	// Schemas finds those among them that are JSON Schemas.
	Schemas Schemas

	Run  func(*Pass)
	Late bool // looks at what the others have found, and is run after them
}

// Pass is one rule looking at one file, or at a part of one.
type Pass struct {
	Path   string // the file's
	Source *text.Source
	Tree   *yaml.Tree
	// Frame is of a part the rest of its file, whose spans are those of the text
	// beside Source; nil where Tree is all there is.
	Frame *yaml.Tree
	// Aliased are of the rest of a file the anchors that its parts repeat.
	Aliased map[string]bool
	// Memory keeps what takes long and comes again; nil to forget.
	Memory *Memory
	Shape  []conform.Mismatch // where the tree does not fit the field table
	Suite  *rubric.Suite      // never nil; empty for a file without cases
	Role   string             // what the file is: "eval", "targets", …; "" for ADK's
	ADK    *adk.File          // a file of ADK; nil for AgentV's
	// Brief is, of an evalset without its cases, what there is in those; nil where the
	// cases are at hand.
	Brief *Brief
	// Severities change those of rules, by their id; 0 turns a rule off.
	Severities map[string]diag.Severity
	// Files gives the text of a file that the source refers to; nil where nobody
	// can tell whether it is there.
	Files func(reference string) (body string, found bool)
	// Outside gives why a reference is not followed, "" if it is; nil where all are.
	Outside func(reference string) (why string)
	// Folder gives the names of the files of ADK's in the source's folder; nil where
	// nobody can tell.
	Folder func() []string
	// Targets are the names in the targets file; nil if there is none.
	Targets []string
	// Labelled are the cases that a labels file gives grades of; nil where nobody
	// can tell.
	Labelled *rubric.Suite
	// Own is the JSON Schema that the author named for the file; nil if there is
	// none.
	Own *OwnSchema

	rule     *Rule
	found    []diag.Diagnostic
	panicked *diag.Fault // of the first rule that panicked
	claims   []Claim
	ignores  []*ignore              // what comments ask not to be told
	silenced map[lineRule][]*ignore // the same, by what they silence; see ignoresOf
	shared
}

// shared is what several rules look at and is made once.
type shared struct {
	all     []*rubric.Case            // see cases
	reach   []*reached                // of every rubric; see reaches
	words   []*rubric.Criterion       // criteria in English; see english
	written bool                      // words has been made
	tree    []*yaml.Node              // every node; see nodes
	keys    map[*yaml.Node]*keyFaults // of mappings; see keysOf
	entries entries                   // of the mapping that rename looked at last
	own     *judged                   // by the author's own schema; see applied
	halves  map[int]text.Span         // values that only lack quotes, by line; see half
	kit     kit                       // of a file of ADK
}

// Report adds a finding; the message follows fmt.Sprintf. The pointer is good
// until the next Report: hang notes and fixes on it.
func (p *Pass) Report(span text.Span, format string, args ...any) *diag.Diagnostic {
	p.found = append(p.found, p.diagnostic(span, format, args...))
	return &p.found[len(p.found)-1]
}

func (p *Pass) diagnostic(span text.Span, format string, args ...any) diag.Diagnostic {
	return diag.Diagnostic{
		Code: p.rule.ID, Severity: p.rule.Severity, Span: span, Path: pathAt(p.treeAt(span.Start), span), Message: fmt.Sprintf(format, args...),
	}
}

// treeAt is the tree that an offset is of.
func (p *Pass) treeAt(offset int) *yaml.Tree {
	if offset >= text.Far && p.Frame != nil {
		return p.Frame
	}
	return p.Tree
}

// Check runs every rule and gives the findings, without those that a comment in
// the text asks not to be told.
func Check(p Pass) Result {
	p.ignores = readIgnores(p.Source, p.Tree.Comments)
	p.blame()
	p.run(false)
	p.found = slices.DeleteFunc(p.found, p.ignored)
	p.silence()
	p.run(true)
	r := Result{Found: p.found, Claims: p.claims}
	p.guard(func() { r.Supply = p.supply() })
	if p.panicked != nil {
		r.Found = append(r.Found, p.panicked.Finding(FirstLine(p.Source)))
	}
	return r
}

// guard calls look. If that panics, what it has found so far stands, and the file has
// a finding that says so.
func (p *Pass) guard(look func()) {
	if fault := diag.Guard(look); p.panicked == nil {
		p.panicked = fault
	}
}

// FirstLine is the span of the first line that holds more than a comment, which
// findings on a whole file have.
func FirstLine(src *text.Source) text.Span {
	return src.LineSpan(nextLine(src, -1))
}

// Sort puts findings in order of place, each of them once.
func Sort(found []diag.Diagnostic) []diag.Diagnostic {
	slices.SortStableFunc(found, func(a, b diag.Diagnostic) int {
		return cmp.Or(a.Span.Start-b.Span.Start, a.Span.End-b.Span.End, strings.Compare(a.Code, b.Code))
	})
	return slices.CompactFunc(found, same)
}

// run runs the rules that are late, or those that are not.
func (p *Pass) run(late bool) {
	for _, rule := range All() {
		if rule.Late != late {
			continue
		}
		severity, changed := p.Severities[rule.ID]
		if changed && severity == 0 {
			continue
		}
		found, claims := len(p.found), len(p.claims)
		p.rule = rule
		p.guard(func() { rule.Run(p) })
		if !changed {
			continue
		}
		for i := found; i < len(p.found); i++ {
			p.found[i].Severity = severity
		}
		for i := claims; i < len(p.claims); i++ {
			p.claims[i].Diagnostic.Severity, p.claims[i].Elsewhere = severity, severity
		}
	}
}

// same tells that one finding was made twice, as in evaluators that cases share.
func same(a, b diag.Diagnostic) bool {
	return a.Span == b.Span && a.Code == b.Code && a.Message == b.Message
}
