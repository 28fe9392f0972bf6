package run

import (
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

// ReasonWords are the Reasons with the criteria by their [CriterionRecord.Words].
func (r *Record) ReasonWords() []string {
	words := make([]string, len(r.Reasons))
	for i, reason := range r.Reasons {
		words[i] = r.inWords(reason)
	}
	return words
}

// GateWords are a gate's [score.Gate.Why] with its criterion by its Words.
func (r *Record) GateWords(gate score.Gate) string { return r.inWords(gate.Why()) }

// inWords has the criteria of a reason by their Words: those of the grader that it is of.
func (r *Record) inWords(reason string) string {
	for i := range r.Graders {
		g := &r.Graders[i]
		if name := "`" + g.Name + "`"; strings.HasPrefix(reason, name) || strings.Contains(reason, " of "+name+": ") {
			return g.inWords(reason, "`")
		}
	}
	return reason
}

// UngradedWords are what could not be judged, and why, with the criteria by their Words.
func (g *GraderRecord) UngradedWords() string { return g.inWords(g.Ungraded, "`") }

// inWords has the criteria in a text, each behind the path to its grader, by their Words.
func (g *GraderRecord) inWords(text, path string) string {
	for i := range g.Criteria {
		c := &g.Criteria[i]
		text = strings.ReplaceAll(text, path+c.ID+"`", path+c.Words()+"`")
	}
	for i := range g.Members {
		m := &g.Members[i]
		if m.Ungraded != "" {
			text = strings.ReplaceAll(text, "`"+m.Name+"` is ungraded: "+m.Ungraded, "`"+m.Name+"` is ungraded: "+m.UngradedWords())
		}
		text = m.inWords(text, path+m.Name+"/")
	}
	return text
}
