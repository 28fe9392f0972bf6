package lint

import (
	"path"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/text"
)

// CaseIDs are the ids of one file's cases: all that a host has to keep of a file
// to hold it against others.
type CaseIDs struct {
	Source  *text.Source // named by the file's path
	Dataset string       // what results are filed under beside the id
	IsNamed bool         // the file says so; else the dataset is called as the file is
	Facts   []Fact       // of the ids, with spans of Source and in their order
}

// SharesDataset reports whether two files belong together: their dataset has the same
// name. Where that is just what both files are called, they have to be in the
// same folder too: many projects call all their files the same.
func (c *CaseIDs) SharesDataset(other *CaseIDs) bool {
	return c.Dataset == other.Dataset && (c.IsNamed || other.IsNamed || c.dir() == other.dir())
}

func (c *CaseIDs) dir() string { return path.Dir(strings.ReplaceAll(c.Source.Name, `\`, "/")) }

// UniqueIDs are the ids, in their order and each once.
func (c *CaseIDs) UniqueIDs() (names []string) {
	seen := map[string]bool{}
	for i := range c.Facts {
		if id, is := c.Facts[i].CaseID(); is && !seen[id] {
			seen[id] = true
			names = append(names, id)
		}
	}
	return names
}

// CaseID is the id that a claim is of, if it is one of a case's.
func (f *Fact) CaseID() (id string, is bool) { return f.Key, f.Diagnostic.Code == duplicateCaseID }

// Duplicates is where ids of a file's cases stand in other files, by the id.
type Duplicates map[string]Occurrence

// Occurrence is where an id stands first among files that belong together.
type Occurrence struct {
	Dataset string
	Source  *text.Source
	Span    text.Span
}

// FindDuplicateCaseIDs finds the ids that several files of a dataset have: of all of
// these files but the first, in the order given.
func FindDuplicateCaseIDs(files []CaseIDs) []Duplicates {
	all := make([]Duplicates, len(files))
	first := map[[2]string][]firstUse{} // by dataset and id
	for i := range files {
		file := &files[i]
		seen := map[string]bool{}
		for j := range file.Facts {
			c := &file.Facts[j]
			if seen[c.Key] || c.Diagnostic.Code != duplicateCaseID {
				continue // told already, of the file alone; or no id
			}
			seen[c.Key] = true
			key := [2]string{file.Dataset, c.Key}
			before := slices.IndexFunc(first[key], func(c firstUse) bool { return c.file.SharesDataset(file) })
			if before < 0 {
				first[key] = append(first[key], firstUse{file, c})
				continue
			}
			if all[i] == nil {
				all[i] = Duplicates{}
			}
			other := first[key][before]
			all[i][c.Key] = Occurrence{file.Dataset, other.file.Source, other.fact.Diagnostic.Span}
		}
	}
	return all
}

// firstUse is a file that was the first to claim an id.
type firstUse struct {
	file *CaseIDs
	fact *Fact
}

// Merge is everything found of a file: what was found of it alone, and which of
// its claims stand elsewhere.
func (ds Duplicates) Merge(claims []Fact, own []diag.Diagnostic) []diag.Diagnostic {
	var found, retract []diag.Diagnostic // the latter of comments that are of use after all
	seen := map[string]bool{}
	for _, c := range claims {
		other, twice := ds[c.Key]
		if !twice || seen[c.Key] || c.Diagnostic.Code != duplicateCaseID {
			continue
		}
		seen[c.Key] = true
		switch {
		case !c.IsSilenced:
			found = append(found, c.crossFileDiagnostic(other))
		case c.UnusedIgnore != nil:
			retract = append(retract, *c.UnusedIgnore)
		}
	}
	if len(found)+len(retract) == 0 {
		return own
	}
	all := slices.DeleteFunc(slices.Clone(own), func(d diag.Diagnostic) bool {
		return slices.ContainsFunc(retract, func(useless diag.Diagnostic) bool { return equalDiagnostics(d, useless) })
	})
	return Sort(append(all, found...))
}

// crossFileDiagnostic is what is said of a claim that stands in another file before.
func (f Fact) crossFileDiagnostic(other Occurrence) diag.Diagnostic {
	d := f.Diagnostic
	d.Severity = f.CrossFileSeverity
	d.Message = "another file of the dataset `" + abbreviate(other.Dataset) + "` has a case `" + abbreviate(f.Key) + "`"
	d.Notes = []diag.Note{{Source: other.Source, Span: other.Span, Message: "it is here"}}
	return d
}
