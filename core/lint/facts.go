package lint

import (
	"iter"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
)

// DuplicateCaseID is the rule whose facts are compared across files.
const DuplicateCaseID = "duplicate-case-id"

// Result is the result of the rules for a chunk or a file.
type Result struct {
	Diagnostics []diag.Diagnostic
	Facts       []Fact
	Summary     EvalsetSummary
}

// Fact is something that rules can only decide with all chunks of a file. It becomes a
// diagnostic if an earlier fact of the same rule has the same key, in this file or another, or, with
// IsFirst, if none has it.
// The fact of a tool becomes one if no chunk has a tool of that name, and the fact of a dependency if no
// chunk has the case, or if cases depend on each other.
type Fact struct {
	Key               string
	IsFirst           bool
	IsTool            bool
	IsCase            bool             // never a diagnostic: there is a case with the id Key
	Dependent         string           // the case that depends on the case Key
	Diagnostic        diag.Diagnostic  // without its note
	CrossFileSeverity diag.Severity    // if the earlier fact is in another file
	IsSilenced        bool             // by a comment
	UnusedIgnore      *diag.Diagnostic // for that comment, if the fact is no diagnostic; may be nil
}

// AddFact adds a fact with the diagnostic that it may become.
func (p *Pass) AddFact(f Fact, span text.Span, format string, args ...any) {
	f.Diagnostic = p.newDiagnostic(span, format, args...)
	p.facts = append(p.facts, f)
}

// AddCase adds the id of a case that is no fact of [DuplicateCaseID]. "" stands for cases that cannot be read.
func (p *Pass) AddCase(id string) {
	p.facts = append(p.facts, Fact{Key: id, IsCase: true})
}

// silenceFacts marks the facts that a comment silences. [ResolveFacts] decides whether the
// comment was needed.
func (p *Pass) silenceFacts() {
	severity, changed := p.Severities[UnusedIgnore]
	p.rule = Find(UnusedIgnore)
	for i := range p.facts {
		f := &p.facts[i]
		for _, ignore := range p.ignoresFor(f.Diagnostic) {
			f.IsSilenced = true
			if changed && severity == 0 || ignore.usedFor[f.Diagnostic.Code] {
				continue
			}
			unused := p.unusedIgnoreDiagnostic(ignore, f.Diagnostic.Code)
			if changed {
				unused.Severity = severity
			}
			f.UnusedIgnore = &unused
		}
	}
	for _, f := range p.facts {
		for _, ignore := range p.ignoresFor(f.Diagnostic) {
			ignore.usedFor[f.Diagnostic.Code] = true
		}
	}
}

// Resolution is the decision that a fact becomes a diagnostic.
type Resolution struct {
	Fact           FactIndex
	First          *FactIndex // the earlier fact with the same key, if there is one
	Suggestion     string     // for a tool: the nearest known name
	Cycle          string     // for a dependency: the message if the cases depend on each other
	FreeID         string     // for a repeated case id: one that no case has
	IsUnusedIgnore bool       // report Fact.UnusedIgnore instead of the fact
}

// FactIndex identifies a fact: the index of its result and its index there.
type FactIndex struct{ Result, Fact int }

// ResolveFacts decides which facts of a file's results become diagnostics.
func ResolveFacts(results []*Result) (resolutions []Resolution) {
	first := map[[2]string]FactIndex{} // by rule and key
	tools := sync.OnceValue(func() *adk.Summary { return indexTools(results) })
	takenIDs := sync.OnceValue(func() map[string]bool { return caseIDs(results) })
	graph := sync.OnceValue(func() *dependencies { return indexDependencies(results) })
	settled := map[silencing]bool{} // it is needed, or reported as unused
	var unused []Resolution
	for i, result := range results {
		for j, f := range result.Facts {
			r := Resolution{Fact: FactIndex{i, j}}
			isFaulty := false
			switch {
			case f.IsCase:
				continue
			case f.Dependent != "":
				r.Suggestion, r.Cycle = graph().check(f.Dependent, f.Key)
				isFaulty = r.Cycle != "" || !graph().has(f.Key)
			case f.IsTool:
				r.Suggestion, isFaulty = tools().CheckTool(f.Key)
			default:
				key := [2]string{f.Diagnostic.Code, f.Key}
				earlier, seen := first[key]
				if isFaulty = seen != f.IsFirst; seen && isFaulty {
					r.First = &earlier
					if f.Diagnostic.Code == DuplicateCaseID {
						r.FreeID = fix.FreeID(f.Key, "-", takenIDs())
					}
				}
				if !seen {
					first[key] = r.Fact
				}
			}
			switch {
			case isFaulty && !f.IsSilenced:
				resolutions = append(resolutions, r)
			case isFaulty && f.UnusedIgnore != nil:
				settled[silencing{i, f.Diagnostic.Code, f.UnusedIgnore.Span}] = true
			case f.UnusedIgnore != nil:
				r.IsUnusedIgnore = true
				unused = append(unused, r)
			}
		}
	}
	for _, r := range unused {
		f := results[r.Fact.Result].Facts[r.Fact.Fact]
		if at := (silencing{r.Fact.Result, f.Diagnostic.Code, f.UnusedIgnore.Span}); !settled[at] {
			settled[at] = true
			resolutions = append(resolutions, r)
		}
	}
	return resolutions
}

// silencing is a comment that silences a rule.
type silencing struct {
	result int
	rule   string
	span   text.Span
}

// caseIDs returns the ids of all cases.
func caseIDs(results []*Result) map[string]bool {
	ids := map[string]bool{}
	for _, r := range results {
		for i := range r.Facts {
			if id, ok := r.Facts[i].CaseID(); ok {
				ids[id] = true
			}
		}
	}
	return ids
}

// Resolve returns the diagnostic of a fact; first is the span of the earlier fact, if any. It is that of the
// fact itself if a merge key gives two cases one id, which no fix can change for one of them.
func (f Fact) Resolve(r Resolution, first text.Span) diag.Diagnostic {
	if r.IsUnusedIgnore {
		return *f.UnusedIgnore
	}
	d := f.Diagnostic
	quotes := d.Span.Len() - len(f.Key)
	switch {
	case r.First != nil:
		d.Notes = append(slices.Clip(d.Notes), diag.Note{Span: first, Message: "the first one is here"})
		if r.FreeID != "" && first != d.Span && (quotes == 0 || quotes == 2) {
			end := d.Span.End - quotes/2
			added := strings.TrimPrefix(r.FreeID, f.Key)
			d.Fixes = []diag.Fix{{Title: "change to `" + r.FreeID + "`", Edits: []text.Edit{{Span: text.Span{Start: end, End: end}, New: added}}}}
		}
	case r.Cycle != "":
		d.Message = r.Cycle
	case r.Suggestion != "":
		if fix.SuggestWord(&d, r.Suggestion); f.Dependent != "" && quotes == 2 { // JSON needs them
			d.Fixes[0].Edits[0].Span = text.Span{Start: d.Span.Start + 1, End: d.Span.End - 1}
		}
	}
	return d
}

// CaseID returns the case id of a fact, if the fact is about one.
func (f *Fact) CaseID() (id string, ok bool) { return f.Key, f.Diagnostic.Code == DuplicateCaseID }

// CaseIDs are the case ids of one file. A host needs no more to compare it with other files.
type CaseIDs struct {
	Source  *text.Source // its name is the file's path
	Dataset string       // results are stored under it and the id
	IsNamed bool         // the file sets the dataset; otherwise it is the file's name
	Facts   []Fact       // with spans of Source, in order
}

// SharesDataset reports whether two files belong to one dataset: it has the same name. If
// neither file sets the name, they must also be in one folder, because many projects use
// the same file name everywhere.
func (c *CaseIDs) SharesDataset(other *CaseIDs) bool {
	return c.Dataset == other.Dataset && (c.IsNamed || other.IsNamed || c.dir() == other.dir())
}

func (c *CaseIDs) dir() string { return path.Dir(strings.ReplaceAll(c.Source.Name, `\`, "/")) }

// UniqueIDs returns the ids in order, each once.
func (c *CaseIDs) UniqueIDs() (ids []string) {
	for id := range uniqueCases(c.Facts) {
		ids = append(ids, id)
	}
	return ids
}

// uniqueCases iterates over the case ids of facts and the first fact of each.
func uniqueCases(facts []Fact) iter.Seq2[string, *Fact] {
	return func(yield func(string, *Fact) bool) {
		seen := map[string]bool{}
		for i := range facts {
			id, ok := facts[i].CaseID()
			if ok && !seen[id] && !yield(id, &facts[i]) {
				return
			}
			seen[id] = true
		}
	}
}

// Duplicates are the case ids of a file that other files of its dataset have too.
type Duplicates map[string]Occurrence

// Occurrence is the first use of an id in a dataset.
type Occurrence struct {
	Dataset string
	Source  *text.Source
	Span    text.Span
}

// FindDuplicateCaseIDs returns for each file the ids that an earlier file of the same
// dataset has.
func FindDuplicateCaseIDs(files []CaseIDs) []Duplicates {
	type use struct {
		file *CaseIDs
		span text.Span
	}
	all := make([]Duplicates, len(files))
	first := map[[2]string][]use{} // by dataset and id; several if folders matter
	for i := range files {
		file := &files[i]
		for id, f := range uniqueCases(file.Facts) { // a second use in one file is reported there
			key := [2]string{file.Dataset, id}
			earlier := slices.IndexFunc(first[key], func(u use) bool { return u.file.SharesDataset(file) })
			if earlier < 0 {
				first[key] = append(first[key], use{file, f.Diagnostic.Span})
				continue
			}
			if all[i] == nil {
				all[i] = Duplicates{}
			}
			other := first[key][earlier]
			all[i][id] = Occurrence{file.Dataset, other.file.Source, other.span}
		}
	}
	return all
}

// Merge adds the diagnostics of duplicate ids to a file's own diagnostics. It removes those
// of ignore comments that silence a duplicate.
func (ds Duplicates) Merge(facts []Fact, own []diag.Diagnostic) []diag.Diagnostic {
	var added, removed []diag.Diagnostic
	for id, f := range uniqueCases(facts) {
		switch other, isDuplicate := ds[id]; {
		case !isDuplicate:
		case !f.IsSilenced:
			added = append(added, f.crossFileDiagnostic(other))
		case f.UnusedIgnore != nil:
			removed = append(removed, *f.UnusedIgnore)
		}
	}
	if len(added)+len(removed) == 0 {
		return own
	}
	all := slices.DeleteFunc(slices.Clone(own), func(d diag.Diagnostic) bool {
		return slices.ContainsFunc(removed, func(unused diag.Diagnostic) bool { return equalDiagnostics(d, unused) })
	})
	return Sort(append(all, added...))
}

// crossFileDiagnostic reports a fact whose earlier use is in another file.
func (f *Fact) crossFileDiagnostic(other Occurrence) diag.Diagnostic {
	d := f.Diagnostic
	d.Severity = f.CrossFileSeverity
	d.Message = "another file of the dataset `" + Abbreviate(other.Dataset) + "` has a case `" + Abbreviate(f.Key) + "`"
	d.Notes = []diag.Note{{Source: other.Source, Span: other.Span, Message: "it is here"}}
	return d
}

// EvalsetSummary is what rules need to know of a chunk of an evalset to check other chunks.
type EvalsetSummary struct {
	EvalsetContents
	Tools, FieldNames []string // names of tools, and of their parameters and results; sorted
	HasDeclaredTools  bool     // Tools may be complete
}

// EvalsetContents is what rules need to know of an evalset's cases to check its header.
type EvalsetContents struct {
	HasTurns, HasCalls, HasRubrics bool
	Scenarios, Fixed               int // see [adk.Summary]
}

// indexTools returns the tools of all cases of an evalset.
func indexTools(results []*Result) *adk.Summary {
	ti := &adk.Summary{Tools: map[string]bool{}, FieldNames: map[string]bool{}}
	for _, r := range results {
		for _, name := range r.Summary.Tools {
			ti.Tools[name] = true
		}
		for _, name := range r.Summary.FieldNames {
			ti.FieldNames[name] = true
		}
		ti.HasDeclaredTools = ti.HasDeclaredTools || r.Summary.HasDeclaredTools
	}
	return ti
}

// Evalset lowers one of ADK's files to an evalset, whatever its format.
func (p *Pass) Evalset() *adk.Set { return evalset(p) }

var evalset = PerPass(func(p *Pass) *adk.Set {
	return new(adk.LowerSet(metric.Latest, *p.ADK))
})

// Settings lowers the file, which is a configuration.
func (p *Pass) Settings() *adk.Settings { return ownSettings(p) }

var ownSettings = PerPass(func(p *Pass) *adk.Settings {
	return new(adk.LowerConfig(metric.Latest, *p.ADK))
})

func contentsOf(s adk.Summary) EvalsetContents {
	return EvalsetContents{HasTurns: s.Turns > 0, HasCalls: s.HasCalls, HasRubrics: len(s.Rubrics) > 0, Scenarios: s.Scenarios, Fixed: s.Fixed}
}

// AllContents describes the cases of the whole evalset.
func (p *Pass) AllContents() EvalsetContents {
	if p.Contents != nil {
		return *p.Contents
	}
	return contentsOf(p.Evalset().Summary())
}

// dependencies are the cases of a file, and which of them each one depends on.
type dependencies struct {
	ids   map[string]bool
	edges map[string][]string
}

func indexDependencies(results []*Result) *dependencies {
	d := &dependencies{caseIDs(results), map[string][]string{}}
	for _, r := range results {
		for _, f := range r.Facts {
			switch {
			case f.IsCase:
				d.ids[f.Key] = true
			case f.Dependent != "":
				d.edges[f.Dependent] = append(d.edges[f.Dependent], f.Key)
			}
		}
	}
	return d
}

// has reports whether there is a case with the id, as far as the cases are known.
func (d *dependencies) has(id string) bool { return d.ids[id] || d.ids[""] }

// check returns the nearest id for a case that does not exist, and a message if the case on depends on the
// case id.
func (d *dependencies) check(id, on string) (suggestion, cycle string) {
	if !d.has(on) {
		return spell.Nearest(on, slices.Sorted(maps.Keys(d.ids))), ""
	}
	before := map[string]string{on: id} // the case through which each one was reached
	for queue := []string{on}; len(queue) > 0; queue = queue[1:] {
		for _, next := range d.edges[queue[0]] {
			if next == id {
				path := []string{id}
				for at := queue[0]; at != id; at = before[at] {
					path = append(path, at)
				}
				slices.Reverse(path[1:])
				return "", "these tests depend on each other in a circle: " + diag.JoinList(diag.Backtick(path), "and") + "; the runner refuses the file"
			}
			if _, seen := before[next]; !seen {
				before[next] = queue[0]
				queue = append(queue, next)
			}
		}
	}
	return "", ""
}
