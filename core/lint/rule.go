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
	ID         string // kebab-case, a fact about the file, stable for ever
	Summary    string // one sentence for lists, no final period
	Why        string // Markdown: what happens if it is left so, and what to do
	Severity   diag.Severity
	CanBeError bool // some of what it finds is an error, though its severity is less

	// Bad reports exactly this rule at every ⟦marked⟧ place and nothing else
	// above info but the rules in With; an empty ⟦⟧ marks a caret. Good reports
	// nothing.
	Bad, Good   string
	AlsoReports []string // rules that nobody can break, or keep, this one without
	// FileName is what the examples' file is called; an eval file's by default.
	FileName string
	// SiblingFiles are files that stand beside it, by their path.
	SiblingFiles map[string]string
	// LoadSchema finds those among them that are JSON Schemas.
	LoadSchema SchemaLoader

	Run      func(*Pass)
	RunsLast bool // looks at what the others have found, and is run after them
}

// Pass is one rule looking at one file, or at a part of one.
type Pass struct {
	Path   string // the file's
	Source *text.Source
	Tree   *yaml.Tree
	// Header is of a part the rest of its file, whose spans are those of the text
	// beside Source; nil where Tree is all there is.
	Header *yaml.Tree
	// HeaderAliases are of the rest of a file the anchors that its parts repeat.
	HeaderAliases map[string]bool
	// Cache keeps what takes long and comes again; nil to forget.
	Cache      *Cache
	Mismatches []conform.Mismatch // where the tree does not fit the field table
	Suite      *rubric.Suite      // never nil; empty for a file without cases
	Role       string             // what the file is: "eval", "targets", …; "" for ADK's
	ADK        *adk.File          // a file of ADK; nil for AgentV's
	// Contents is, of an evalset without its cases, what there is in those; nil where the
	// cases are at hand.
	Contents *EvalsetContents
	// Severities change those of rules, by their id; 0 turns a rule off.
	Severities map[string]diag.Severity
	// ReadFile gives the text of a file that the source refers to; nil where nobody
	// can tell whether it is there.
	ReadFile func(reference string) (body string, found bool)
	// OutsideReason gives why a reference is not followed, "" if it is; nil where all are.
	OutsideReason func(reference string) (why string)
	// FolderNames gives the names of the files of ADK's in the source's folder; nil where
	// nobody can tell.
	FolderNames func() []string
	// Targets are the names in the targets file; nil if there is none.
	Targets []string
	// LabelledSuite are the cases that a labels file gives grades of; nil where nobody
	// can tell.
	LabelledSuite *rubric.Suite
	// UserSchema is the JSON Schema that the author named for the file; nil if there is
	// none.
	UserSchema *UserSchema

	rule          *Rule
	diagnostics   []diag.Diagnostic
	panicked      *diag.Panic // of the first rule that panicked
	facts         []Fact
	ignores       []*ignoreDirective              // what comments ask not to be told
	ignoresByLine map[lineRule][]*ignoreDirective // the same, by what they silence; see ignoresOf
	lazyFacts
}

// lazyFacts is what several rules look at and is made once.
type lazyFacts struct {
	allCases        []*rubric.Case            // see cases
	attainable      []*attainable             // of every rubric; see reaches
	englishCriteria []*rubric.Criterion       // criteria in English; see english
	hasEnglish      bool                      // words has been made
	allNodes        []*yaml.Node              // every node; see nodes
	keys            map[*yaml.Node]*keyFaults // of mappings; see keysOf
	entries         mappingEntries            // of the mapping that rename looked at last
	schemaOutcome   *schemaOutcome            // by the author's own schema; see applied
	unquotedValues  map[int]text.Span         // values that only lack quotes, by line; see half
	evalsetInputs   evalsetInputs             // of a file of ADK
}

// Report adds a finding; the message follows fmt.Sprintf. The pointer is good
// until the next Report: hang notes and fixes on it.
func (p *Pass) Report(span text.Span, format string, args ...any) *diag.Diagnostic {
	p.diagnostics = append(p.diagnostics, p.newDiagnostic(span, format, args...))
	return &p.diagnostics[len(p.diagnostics)-1]
}

func (p *Pass) newDiagnostic(span text.Span, format string, args ...any) diag.Diagnostic {
	return diag.Diagnostic{
		Code: p.rule.ID, Severity: p.rule.Severity, Span: span, Path: pathAt(p.treeFor(span.Start), span), Message: fmt.Sprintf(format, args...),
	}
}

// treeFor is the tree that an offset is of.
func (p *Pass) treeFor(offset int) *yaml.Tree {
	if offset >= text.HeaderBase && p.Header != nil {
		return p.Header
	}
	return p.Tree
}

// Check runs every rule and gives the findings, without those that a comment in
// the text asks not to be told.
func Check(p Pass) Result {
	p.ignores = parseIgnores(p.Source, p.Tree.Comments)
	p.markRefused()
	p.runRules(false)
	p.diagnostics = slices.DeleteFunc(p.diagnostics, p.isSilenced)
	p.silenceFacts()
	p.runRules(true)
	r := Result{Diagnostics: p.diagnostics, Facts: p.facts}
	p.guard(func() { r.Summary = p.summarize() })
	if p.panicked != nil {
		r.Diagnostics = append(r.Diagnostics, p.panicked.Diagnostic(FirstLine(p.Source)))
	}
	return r
}

// guard calls look. If that panics, what it has found so far stands, and the file has
// a finding that says so.
func (p *Pass) guard(look func()) {
	if fault := diag.CatchPanic(look); p.panicked == nil {
		p.panicked = fault
	}
}

// FirstLine is the span of the first line that holds more than a comment, which
// findings on a whole file have.
func FirstLine(src *text.Source) text.Span {
	return src.LineSpan(nextContentLine(src, -1))
}

// Sort puts findings in order of place, each of them once.
func Sort(found []diag.Diagnostic) []diag.Diagnostic {
	slices.SortStableFunc(found, func(a, b diag.Diagnostic) int {
		return cmp.Or(a.Span.Start-b.Span.Start, a.Span.End-b.Span.End, strings.Compare(a.Code, b.Code))
	})
	return slices.CompactFunc(found, equalDiagnostics)
}

// runRules runs the rules that are late, or those that are not.
func (p *Pass) runRules(late bool) {
	for _, rule := range All() {
		if rule.RunsLast != late {
			continue
		}
		severity, changed := p.Severities[rule.ID]
		if changed && severity == 0 {
			continue
		}
		found, claims := len(p.diagnostics), len(p.facts)
		p.rule = rule
		p.guard(func() { rule.Run(p) })
		if !changed {
			continue
		}
		for i := found; i < len(p.diagnostics); i++ {
			p.diagnostics[i].Severity = severity
		}
		for i := claims; i < len(p.facts); i++ {
			p.facts[i].Diagnostic.Severity, p.facts[i].CrossFileSeverity = severity, severity
		}
	}
}

// equalDiagnostics tells that one finding was made twice, as in evaluators that cases share.
func equalDiagnostics(a, b diag.Diagnostic) bool {
	return a.Span == b.Span && a.Code == b.Code && a.Message == b.Message
}
