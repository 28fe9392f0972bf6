package run

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/score"
)

// maxLabelLength is the length in characters to which a text is abbreviated as a label.
const maxLabelLength = 80

// Label returns the criterion's id or, if the id is generated, the beginning of its text.
func (r *CriterionRecord) Label() string {
	if r.hasNumberedID() && r.Text != "" {
		return excerpt.Shorten(r.Text, maxLabelLength)
	}
	return r.ID
}

// WithLabels returns the record for display: its reasons name criteria by their labels.
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

// LabelReason returns a reason in which the criteria of its grader are named by their labels.
func (r *Record) LabelReason(reason string) string {
	for i := range r.Graders {
		g := &r.Graders[i]
		if name := "`" + g.Name + "`"; strings.HasPrefix(reason, name) || strings.Contains(reason, " of "+name+": ") {
			return g.LabelText(reason, "")
		}
	}
	return reason
}

// LabelText returns text with the criteria of g, each after the path to it, replaced by their
// labels.
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
