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

// together reports whether two files belong together: their dataset has the same
// name. Where that is just what both files are called, they have to be in the
// same folder too: many projects call all their files the same.
func (f *CaseIDs) together(other *CaseIDs) bool {
	return f.Dataset == other.Dataset && (f.Named || other.Named || f.folder() == other.folder())
}

func (f *CaseIDs) folder() string { return path.Dir(strings.ReplaceAll(f.Source.Name, `\`, "/")) }

// Across is what files say of each other.
type Across map[*text.Source]*across

type across struct {
	found   []diag.Diagnostic
	retract []diag.Diagnostic // what was said of comments that are of use after all
}

// DuplicateCaseIDs finds the ids that several files of a dataset have, and tells
// all of these files but the first.
func DuplicateCaseIDs(files []CaseIDs) Across {
	all := Across{}
	first := map[[2]string][]claimant{} // by dataset and id
	for i := range files {
		file, own := &files[i], &across{}
		all[file.Source] = own
		seen := map[string]bool{}
		for j := range file.Claims {
			c := &file.Claims[j]
			if seen[c.Key] || c.Diagnostic.Code != duplicateCaseID {
				continue // told already, of the file alone; or no id
			}
			seen[c.Key] = true
			key := [2]string{file.Dataset, c.Key}
			before := slices.IndexFunc(first[key], func(c claimant) bool { return c.file.together(file) })
			if before < 0 {
				first[key] = append(first[key], claimant{file, c})
				continue
			}
			own.repeat(file, c, first[key][before])
		}
	}
	return all
}

// claimant is a file that was the first to claim an id.
type claimant struct {
	file  *CaseIDs
	claim *Claim
}

// repeat says that a claim stands in another file before.
func (a *across) repeat(file *CaseIDs, c *Claim, before claimant) {
	if c.Silenced {
		if c.Useless != nil {
			a.retract = append(a.retract, *c.Useless)
		}
		return
	}
	d := c.Diagnostic
	d.Severity = c.Elsewhere
	d.Message = "another file of the dataset `" + shortened(file.Dataset) + "` has a case `" + shortened(c.Key) + "`"
	d.Notes = []diag.Note{{Source: before.file.Source, Span: before.claim.Diagnostic.Span, Message: "it is here"}}
	a.found = append(a.found, d)
}

// Of is everything found of a file: what was found of it alone, and this.
func (a Across) Of(src *text.Source, alone []diag.Diagnostic) []diag.Diagnostic {
	own := a[src]
	if own == nil || len(own.found)+len(own.retract) == 0 {
		return alone
	}
	all := slices.DeleteFunc(slices.Clone(alone), func(d diag.Diagnostic) bool {
		return slices.ContainsFunc(own.retract, func(useless diag.Diagnostic) bool { return same(d, useless) })
	})
	return Sort(append(all, own.found...))
}
