package run

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/score"
)

// nameLength is how many characters of a text are the name of what has no id.
const nameLength = 80

// Words are what people know a criterion by: its id or, where that only numbers it, the
// beginning of its text.
func (r *CriterionRecord) Words() string {
	if r.numbered() && r.Text != "" {
		return excerpt.Of(r.Text, nameLength)
	}
	return r.ID
}

// Told is the record as people are told of it: with the Words of criteria in why its case
// does not pass, and in what is ungraded.
func (r Record) Told() Record {
	if r.Verdict == score.Pass && r.Ungraded == 0 {
		return r
	}
	reasons := slices.Clone(r.Reasons)
	for i := range reasons {
		reasons[i] = r.InWords(reasons[i])
	}
	r.Reasons, r.Graders = reasons, told(r.Graders)
	return r
}

func told(graders []GraderRecord) []GraderRecord {
	graders = slices.Clone(graders)
	for i := range graders {
		g := &graders[i]
		g.Ungraded = g.InWords(g.Ungraded, "")
		g.Members = told(g.Members)
	}
	return graders
}

// InWords is a reason with its criteria by their Words: those of the grader that it is of.
func (r *Record) InWords(reason string) string {
	for i := range r.Graders {
		g := &r.Graders[i]
		if name := "`" + g.Name + "`"; strings.HasPrefix(reason, name) || strings.Contains(reason, " of "+name+": ") {
			return g.InWords(reason, "")
		}
	}
	return reason
}

// InWords is what is said of a grader with its criteria, each behind the path to it, by
// their Words.
func (g *GraderRecord) InWords(said, path string) string {
	for i := range g.Criteria {
		c := &g.Criteria[i]
		said = strings.ReplaceAll(said, "`"+path+c.ID+"`", "`"+path+c.Words()+"`")
	}
	for i := range g.Members {
		m := &g.Members[i]
		is := "`" + m.Name + "` is ungraded: "
		said = strings.ReplaceAll(said, is+m.Ungraded, is+m.InWords(m.Ungraded, ""))
		said = m.InWords(said, path+m.Name+"/")
	}
	return said
}
