package lint

import (
	"path"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint/fix"
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
// diagnostic if an earlier fact of the same rule has the same key, in this file or another.
// The fact of a tool becomes one if no chunk has a tool of that name.
type Fact struct {
	Key               string
	IsTool            bool
	Diagnostic        diag.Diagnostic  // without its note
	Note              string           // explains the earlier fact
	CrossFileSeverity diag.Severity    // if the earlier fact is in another file
	IsSilenced        bool             // by a comment
	UnusedIgnore      *diag.Diagnostic // for that comment, if the fact is no diagnostic; may be nil
}

// AddFact adds a fact with a key; note explains an earlier fact with the same key.
func (p *Pass) AddFact(key string, span text.Span, note, format string, args ...any) {
	p.facts = append(p.facts, Fact{Key: key, Diagnostic: p.newDiagnostic(span, format, args...), Note: note, CrossFileSeverity: diag.Warning})
}

// AddTool adds the fact that a text mentions a tool. It becomes the diagnostic if no case of the file
// has the tool.
func (p *Pass) AddTool(name string, span text.Span, format string, args ...any) {
	p.facts = append(p.facts, Fact{Key: name, IsTool: true, Diagnostic: p.newDiagnostic(span, format, args...)})
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
			if changed && severity == 0 {
				continue
			}
			unused := p.unusedIgnoreDiagnostic(ignore, f.Diagnostic.Code)
			if changed {
				unused.Severity = severity
			}
			ignore.usedFor[f.Diagnostic.Code] = true
			f.UnusedIgnore = &unused
		}
	}
}

// Resolution is the decision that a fact becomes a diagnostic.
type Resolution struct {
	Fact           FactIndex
	First          *FactIndex // the earlier fact with the same key, if there is one
	Suggestion     string     // for a tool: the nearest known name
	IsUnusedIgnore bool       // report Fact.UnusedIgnore instead of the fact
}

// FactIndex identifies a fact: the index of its result and its index there.
type FactIndex struct{ Result, Fact int }

// ResolveFacts decides which facts of a file's results become diagnostics.
func ResolveFacts(results []*Result) (resolutions []Resolution) {
	first := map[[2]string]FactIndex{} // by rule and key
	var tools *ToolIndex
	for i, result := range results {
		for j, f := range result.Facts {
			r := Resolution{Fact: FactIndex{i, j}}
			isFaulty := false
			if f.IsTool {
				if tools == nil {
					tools = indexTools(results)
				}
				r.Suggestion, isFaulty = tools.Check(f.Key)
			} else {
				key := [2]string{f.Diagnostic.Code, f.Key}
				if earlier, seen := first[key]; seen {
					r.First, isFaulty = &earlier, true
				} else {
					first[key] = r.Fact
				}
			}
			r.IsUnusedIgnore = !isFaulty && f.UnusedIgnore != nil
			if isFaulty && !f.IsSilenced || r.IsUnusedIgnore {
				resolutions = append(resolutions, r)
			}
		}
	}
	return resolutions
}

// Resolve returns the diagnostic of a fact; first is the span of the earlier fact, if any.
func (f Fact) Resolve(r Resolution, first text.Span) diag.Diagnostic {
	if r.IsUnusedIgnore {
		return *f.UnusedIgnore
	}
	d := f.Diagnostic
	switch {
	case r.First != nil:
		d.Notes = append(slices.Clip(d.Notes), diag.Note{Span: first, Message: f.Note})
	case r.Suggestion != "":
		fix.SuggestWord(&d, r.Suggestion)
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
	seen := map[string]bool{}
	for i := range c.Facts {
		if id, ok := c.Facts[i].CaseID(); ok && !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids
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
		seen := map[string]bool{}
		for j := range file.Facts {
			id, ok := file.Facts[j].CaseID()
			if !ok || seen[id] { // a second use in one file is reported there
				continue
			}
			seen[id] = true
			key := [2]string{file.Dataset, id}
			earlier := slices.IndexFunc(first[key], func(u use) bool { return u.file.SharesDataset(file) })
			if earlier < 0 {
				first[key] = append(first[key], use{file, file.Facts[j].Diagnostic.Span})
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
	seen := map[string]bool{}
	for _, f := range facts {
		id, ok := f.CaseID()
		other, isDuplicate := ds[id]
		if !ok || !isDuplicate || seen[id] {
			continue
		}
		seen[id] = true
		switch {
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
func (f Fact) crossFileDiagnostic(other Occurrence) diag.Diagnostic {
	d := f.Diagnostic
	d.Severity = f.CrossFileSeverity
	d.Message = "another file of the dataset `" + Abbreviate(other.Dataset) + "` has a case `" + Abbreviate(f.Key) + "`"
	d.Notes = []diag.Note{{Source: other.Source, Span: other.Span, Message: "it is here"}}
	return d
}
