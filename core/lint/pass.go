package lint

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Pass is one run of the rules over a file or a chunk of it. A function field is nil if the
// host cannot answer it.
type Pass struct {
	Path   string // of the file
	Source *text.Source
	Tree   *yaml.Tree
	// Header is the rest of the file if Tree is that of a chunk; its spans start at
	// [text.HeaderBase]. It is nil if Tree is the whole file.
	Header *yaml.Tree
	// HeaderAliases are the anchors of the header that its chunks refer to.
	HeaderAliases map[string]bool
	Cache         *Cache             // results for later passes; nil for none
	Mismatches    []conform.Mismatch // between Tree and the field table
	Suite         *rubric.Suite      // never nil; empty for a file without cases
	Role          string             // the kind of file: "eval", "targets", …; "" for ADK's files
	ADK           *adk.File          // nil for AgentV's files
	// Contents describes the cases of an evalset if Tree is its header, else nil.
	Contents *EvalsetContents
	// Severities override those of rules, by rule id; 0 turns a rule off.
	Severities map[string]diag.Severity
	Paths      bool // find the paths of diagnostics
	// ReadFile returns the text of a file that the source refers to.
	ReadFile func(reference string) (body string, found bool)
	// OutsideReason returns why a reference is not followed, or "".
	OutsideReason func(reference string) (why string)
	// ListFiles returns the files that a pattern matches, relative to the source's folder; nil if that is unknown.
	ListFiles func(pattern string) []string
	// FolderNames returns the names of ADK's files in the source's folder.
	FolderNames   func() []string
	Targets       []string      // names in the targets file; nil if there is none
	LabelledSuite *rubric.Suite // the cases that a labels file refers to; nil if unknown
	UserSchema    *UserSchema   // the JSON Schema that the file names; nil if there is none

	rule        *Rule
	diagnostics []diag.Diagnostic
	panicked    *diag.Panic // of the first rule that panicked
	facts       []Fact
	ignores     []*ignoreDirective
	byLine      map[lineRule][]*ignoreDirective
	values      map[any]any // of [PerPass], by their keys
}

// Check runs every rule and returns the diagnostics that no comment silences.
func Check(p Pass) Result {
	if p.Cache == nil {
		p.Cache = &Cache{}
	}
	p.ignores, p.byLine = parseIgnores(p.Source, p.Tree.Comments)
	p.markRefused()
	p.runRules(false)
	p.diagnostics = slices.DeleteFunc(p.diagnostics, p.isSilenced)
	if len(p.ignores) > 0 {
		p.silenceFacts()
	}
	p.runRules(true)
	r := Result{Diagnostics: p.diagnostics, Facts: p.facts}
	if p.HasADKRole(adk.EvalSet) {
		p.guard(func() {
			s := p.Evalset().Summary()
			r.Summary = EvalsetSummary{contentsOf(s), slices.Sorted(maps.Keys(s.Tools)), slices.Sorted(maps.Keys(s.FieldNames)), s.HasDeclaredTools}
		})
	}
	if p.panicked != nil {
		r.Diagnostics = append(r.Diagnostics, p.panicked.Diagnostic(FirstLine(p.Source)))
	}
	return r
}

// runRules runs the rules whose RunsLast is last.
func (p *Pass) runRules(last bool) {
	foreign := generic.OrZero(dialect.ForRole(agentv.Role(p.Role))).ForeignRules
	for _, rule := range All() {
		if rule.RunsLast != last {
			continue
		}
		severity, changed := p.Severities[rule.ID]
		if severity == 0 && (changed || rule.AboutProfile) || slices.Contains(foreign, rule.ID) {
			continue
		}
		diagnostics, facts := len(p.diagnostics), len(p.facts)
		p.rule = rule
		p.guard(func() { rule.Run(p) })
		if !changed {
			continue
		}
		for i := diagnostics; i < len(p.diagnostics); i++ {
			p.diagnostics[i].Severity = severity
		}
		for i := facts; i < len(p.facts); i++ {
			p.facts[i].Diagnostic.Severity, p.facts[i].CrossFileSeverity = severity, severity
		}
	}
}

// guard calls check and records a panic. The diagnostics so far stay, and Check adds one
// for the panic.
func (p *Pass) guard(check func()) {
	if caught := diag.CatchPanic(check); p.panicked == nil {
		p.panicked = caught
	}
}

// Report adds a diagnostic; the message follows fmt.Sprintf. The caller may add notes and
// fixes to the result until the next Report.
func (p *Pass) Report(span text.Span, format string, args ...any) *diag.Diagnostic {
	p.diagnostics = append(p.diagnostics, p.newDiagnostic(span, format, args...))
	return &p.diagnostics[len(p.diagnostics)-1]
}

func (p *Pass) newDiagnostic(span text.Span, format string, args ...any) diag.Diagnostic {
	d := diag.Diagnostic{Code: p.rule.ID, Severity: p.rule.Severity, Span: span, Message: fmt.Sprintf(format, args...)}
	if p.Paths {
		d.Path = pathAt(p.TreeFor(span.Start), span)
	}
	return d
}

// TreeFor returns the tree of an offset: that of the chunk or of the header.
func (p *Pass) TreeFor(offset int) *yaml.Tree {
	if offset >= text.HeaderBase && p.Header != nil {
		return p.Header
	}
	return p.Tree
}

// NodeAt returns the node with exactly this span, or nil.
func (p *Pass) NodeAt(span text.Span) *yaml.Node {
	return p.TreeFor(span.Start).NodeWithSpan(span)
}

// pathAt returns the dotted path of the outermost value with exactly this span, of the key
// with this span, or of the innermost value around it.
func pathAt(tree *yaml.Tree, span text.Span) string {
	n := tree.NodeAt(span.Start)
	for up := n.Parent; up != nil; up = up.Parent {
		if !n.Span.Contains(span) || up.Span == span {
			n = up
		}
	}
	if up := n.Parent; up != nil && up.Kind == yaml.Mapping { // n may be the key
		n = up.Pairs[n.Index].Value
	}
	return n.Path()
}

// Sort sorts diagnostics by position and removes duplicates, which evaluators shared by
// several cases cause.
func Sort(found []diag.Diagnostic) []diag.Diagnostic {
	generic.SortStable(found, func(a, b diag.Diagnostic) int {
		return cmp.Or(a.Span.Start-b.Span.Start, a.Span.End-b.Span.End, strings.Compare(a.Code, b.Code))
	})
	return slices.CompactFunc(found, equalDiagnostics)
}

func equalDiagnostics(a, b diag.Diagnostic) bool {
	return a.Span == b.Span && a.Code == b.Code && a.Message == b.Message
}

// FirstLine returns the span of the first line that is not a comment. Diagnostics about a
// whole file use it.
func FirstLine(src *text.Source) text.Span {
	return src.LineSpan(nextContentLine(src, -1))
}

// Abbreviate shortens a value to fit into a message of one line. Spaces at its ends are dropped.
func Abbreviate(value string) string { return excerpt.Shorten(value, 40) }

// DescribeValue returns a value of a wrong type in words.
func DescribeValue(n *yaml.Node) string {
	target := n.Follow()
	switch {
	case n.IsSeq():
		return "a list"
	case n.IsMap():
		return "a mapping"
	case target == nil || target.IsNull():
		return "nothing"
	}
	if _, ok := target.Str(); ok {
		return "the text `" + Abbreviate(target.Value) + "`"
	}
	return "`" + Abbreviate(target.Value) + "`"
}

// SortedCases returns all cases of this file in the order of the text. It includes those
// that the runner skips, because their other faults matter once they are fixed.
func (p *Pass) SortedCases() []*rubric.Case { return sortedCases(p) }

var sortedCases = PerPass(func(p *Pass) []*rubric.Case {
	isElsewhere := func(c *rubric.Case) bool { return c.SourceFile != "" }
	all := slices.DeleteFunc(p.Suite.AllCases(), isElsewhere)
	generic.SortStable(all, func(a, b *rubric.Case) int { return a.Span.Start - b.Span.Start })
	return all
})

// HasCases reports whether the file holds cases, but not those of ADK, or settings of all of them.
func (p *Pass) HasCases() bool {
	roles := []agentv.Role{agentv.Eval, agentv.EvalV4, agentv.Cases, agentv.TestList, agentv.ScenarioList, agentv.Sidecar}
	return slices.Contains(roles, agentv.Role(p.Role)) || dialect.ForRole(agentv.Role(p.Role)) != nil
}

// HasADKRole reports whether the file is one of ADK's files with one of these roles.
func (p *Pass) HasADKRole(roles ...adk.Role) bool {
	return p.ADK != nil && slices.Contains(roles, p.ADK.Role)
}

// EachDistinctGrader visits every grader of all cases. It visits those that several cases share
// once.
func (p *Pass) EachDistinctGrader(visit func(*rubric.Grader)) {
	seen := map[*rubric.Grader]bool{}
	for _, c := range p.SortedCases() {
		for g := range rubric.Walk(c.Graders) {
			if !seen[g] {
				seen[g] = true
				visit(g)
			}
		}
	}
}

// EachRubric visits every grader with criteria, including members of composites.
func (p *Pass) EachRubric(visit func(*rubric.Grader)) {
	for _, c := range p.SortedCases() {
		for g := range rubric.Walk(c.Graders) {
			if len(g.Criteria) > 0 {
				visit(g)
			}
		}
	}
}

// AllRubrics returns every rubric of the file, in AgentV's or ADK's syntax. Rubrics of ADK may share
// criteria.
func (p *Pass) AllRubrics() []*rubric.Grader { return allRubrics(p) }

var allRubrics = PerPass(func(p *Pass) (all []*rubric.Grader) {
	if p.ADK != nil {
		return p.ADK.Graders()
	}
	p.EachRubric(func(g *rubric.Grader) { all = append(all, g) })
	return all
})

// EachNode visits every node of every document, including keys.
func (p *Pass) EachNode(visit func(*yaml.Node)) {
	for _, n := range allNodes(p) {
		visit(n)
	}
}

var allNodes = PerPass(func(p *Pass) []*yaml.Node { return slices.Collect(p.Tree.Nodes()) })

// ReportProblems reports the parser's problems of one kind in the parser's words. The note explains the
// second place of a problem. If fixes is not nil, it returns those of a problem.
func (p *Pass) ReportProblems(kind yaml.ProblemKind, note string, fixes func(yaml.Problem) []diag.Fix) {
	for _, problem := range p.Tree.Problems {
		if problem.Kind != kind {
			continue
		}
		if d := p.ReportProblem(problem, note); fixes != nil {
			d.Fixes = fixes(problem)
		}
	}
}

// ReportProblem reports a problem in the parser's words; note explains its second place.
func (p *Pass) ReportProblem(problem yaml.Problem, note string) *diag.Diagnostic {
	d := p.Report(problem.Span, "%s", problem.Message)
	if !problem.Note.Empty() {
		d.Notes = []diag.Note{{Span: problem.Note, Message: note}}
	}
	return d
}

// ReportLosses reports losses of one kind from lowering. Use it only for kinds that are not
// mismatches with the field table. If fixes is not nil, it returns those for the node of a loss.
func (p *Pass) ReportLosses(kind, message string, fixes func(*yaml.Node) []diag.Fix) {
	for _, loss := range p.Suite.Losses {
		if loss.Kind == kind {
			d := p.Report(loss.Span, "%s", message)
			if n := p.NodeAt(loss.Span); n != nil && fixes != nil {
				d.Fixes = fixes(n)
			}
		}
	}
}

// EachMismatch visits the mismatches of one kind. A diagnostic about a value that the
// runner refuses becomes an error.
func (p *Pass) EachMismatch(kind conform.Kind, visit func(conform.Mismatch)) {
	for _, m := range p.Mismatches {
		if m.Kind != kind {
			continue
		}
		before := len(p.diagnostics)
		visit(m)
		for i := before; m.IsRefused && i < len(p.diagnostics); i++ {
			p.diagnostics[i].Severity = diag.Error
		}
	}
}

// markRefused marks the empty values because of which the runner skips something.
func (p *Pass) markRefused() {
	for _, loss := range p.Suite.Losses {
		for i, m := range p.Mismatches {
			if loss.IsCostly() && (m.Kind == conform.NoValue || m.Kind == conform.BlankText) && (m.Span.Meets(loss.Span) || p.isMissingKey(m, loss)) {
				p.Mismatches[i].IsRefused = true
			}
		}
	}
}

// isMissingKey reports whether a mismatch is about a key that a skipped test lacks.
func (p *Pass) isMissingKey(m conform.Mismatch, loss rubric.Loss) bool {
	return loss.Kind == agentv.CaseIncomplete && m.Field != nil && slices.Contains(strings.Split(loss.Detail, ", "), m.Field.Key) && p.Suite.LossSpan(loss).Contains(m.Span)
}
