package run

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/score"
)

// maxLabelLength is how many characters of a text are the name of what has no id.
const maxLabelLength = 80

// Label are what people know a criterion by: its id or, where that only numbers it, the
// beginning of its text.
func (r *CriterionRecord) Label() string {
	if r.hasNumberedID() && r.Text != "" {
		return excerpt.Shorten(r.Text, maxLabelLength)
	}
	return r.ID
}

// WithLabels is the record as people are told of it: with the Words of criteria in why its case
// does not pass, and in what is ungraded.
func (r Record) WithLabels() Record {
	if r.Verdict == score.Pass && r.Ungraded == 0 {
		return r
	}
	reasons := slices.Clone(r.Reasons)
	for i := range reasons {
		reasons[i] = r.LabelReason(reasons[i])
	}
	r.Reasons, r.Graders = reasons, labelGraders(r.Graders)
	return r
}

func labelGraders(graders []GraderRecord) []GraderRecord {
	graders = slices.Clone(graders)
	for i := range graders {
		g := &graders[i]
		g.Ungraded = g.LabelText(g.Ungraded, "")
		g.Members = labelGraders(g.Members)
	}
	return graders
}

// LabelReason is a reason with its criteria by their Words: those of the grader that it is of.
func (r *Record) LabelReason(reason string) string {
	for i := range r.Graders {
		g := &r.Graders[i]
		if name := "`" + g.Name + "`"; strings.HasPrefix(reason, name) || strings.Contains(reason, " of "+name+": ") {
			return g.LabelText(reason, "")
		}
	}
	return reason
}

// LabelText is what is said of a grader with its criteria, each behind the path to it, by
// their Words.
func (g *GraderRecord) LabelText(text, path string) string {
	for i := range g.Criteria {
		c := &g.Criteria[i]
		text = strings.ReplaceAll(text, "`"+path+c.ID+"`", "`"+path+c.Label()+"`")
	}
	for i := range g.Members {
		m := &g.Members[i]
		prefix := "`" + m.Name + "` is ungraded: "
		text = strings.ReplaceAll(text, prefix+m.Ungraded, prefix+m.LabelText(m.Ungraded, ""))
		text = m.LabelText(text, path+m.Name+"/")
	}
	return text
}
