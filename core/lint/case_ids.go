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
	Named   bool         // the file says so; else the dataset is called as the file is
	Claims  []Claim      // of the ids, with spans of Source and in their order
}

// Together reports whether two files belong together: their dataset has the same
// name. Where that is just what both files are called, they have to be in the
// same folder too: many projects call all their files the same.
func (f *CaseIDs) Together(other *CaseIDs) bool {
	return f.Dataset == other.Dataset && (f.Named || other.Named || f.folder() == other.folder())
}

func (f *CaseIDs) folder() string { return path.Dir(strings.ReplaceAll(f.Source.Name, `\`, "/")) }

// Names are the ids, in their order and each once.
func (f *CaseIDs) Names() (names []string) {
	seen := map[string]bool{}
	for i := range f.Claims {
		if id, is := f.Claims[i].CaseID(); is && !seen[id] {
			seen[id] = true
			names = append(names, id)
		}
	}
	return names
}

// CaseID is the id that a claim is of, if it is one of a case's.
func (c *Claim) CaseID() (id string, is bool) { return c.Key, c.Diagnostic.Code == duplicateCaseID }

// Elsewhere is where ids of a file's cases stand in other files, by the id.
type Elsewhere map[string]Occurrence

// Occurrence is where an id stands first among files that belong together.
type Occurrence struct {
	Dataset string
	Source  *text.Source
	Span    text.Span
}

// DuplicateCaseIDs finds the ids that several files of a dataset have: of all of
// these files but the first, in the order given.
func DuplicateCaseIDs(files []CaseIDs) []Elsewhere {
	all := make([]Elsewhere, len(files))
	first := map[[2]string][]claimant{} // by dataset and id
	for i := range files {
		file := &files[i]
		seen := map[string]bool{}
		for j := range file.Claims {
			c := &file.Claims[j]
			if seen[c.Key] || c.Diagnostic.Code != duplicateCaseID {
				continue // told already, of the file alone; or no id
			}
			seen[c.Key] = true
			key := [2]string{file.Dataset, c.Key}
			before := slices.IndexFunc(first[key], func(c claimant) bool { return c.file.Together(file) })
			if before < 0 {
				first[key] = append(first[key], claimant{file, c})
				continue
			}
			if all[i] == nil {
				all[i] = Elsewhere{}
			}
			other := first[key][before]
			all[i][c.Key] = Occurrence{file.Dataset, other.file.Source, other.claim.Diagnostic.Span}
		}
	}
	return all
}

// claimant is a file that was the first to claim an id.
type claimant struct {
	file  *CaseIDs
	claim *Claim
}

// Found is everything found of a file: what was found of it alone, and which of
// its claims stand elsewhere.
func (e Elsewhere) Found(claims []Claim, alone []diag.Diagnostic) []diag.Diagnostic {
	var found, retract []diag.Diagnostic // the latter of comments that are of use after all
	seen := map[string]bool{}
	for _, c := range claims {
		other, twice := e[c.Key]
		if !twice || seen[c.Key] || c.Diagnostic.Code != duplicateCaseID {
			continue
		}
		seen[c.Key] = true
		switch {
		case !c.Silenced:
			found = append(found, c.elsewhere(other))
		case c.Useless != nil:
			retract = append(retract, *c.Useless)
		}
	}
	if len(found)+len(retract) == 0 {
		return alone
	}
	all := slices.DeleteFunc(slices.Clone(alone), func(d diag.Diagnostic) bool {
		return slices.ContainsFunc(retract, func(useless diag.Diagnostic) bool { return same(d, useless) })
	})
	return Sort(append(all, found...))
}

// elsewhere is what is said of a claim that stands in another file before.
func (c Claim) elsewhere(other Occurrence) diag.Diagnostic {
	d := c.Diagnostic
	d.Severity = c.Elsewhere
	d.Message = "another file of the dataset `" + shortened(other.Dataset) + "` has a case `" + shortened(c.Key) + "`"
	d.Notes = []diag.Note{{Source: other.Source, Span: other.Span, Message: "it is here"}}
	return d
}
