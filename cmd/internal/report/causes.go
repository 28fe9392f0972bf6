package report

import (
	"strings"

	"github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// causes are the reasons why cases are ungraded. A long one is drawn in full where it occurs
// first, and afterwards as a reference to that case. A nil *causes abbreviates nothing.
type causes struct {
	firstIDs map[string]string // the case in which a cause was drawn first
	current  string            // the case that is being drawn
	all      []string          // of the current case
	graded   bool              // the current case has a grade
}

// minCause is the length of the shortest cause that is abbreviated.
const minCause = 30

// asAbove stands for a cause that was drawn in the same case.
const asAbove = "as above"

// begin collects the causes of a case.
func (c *causes) begin(rec run.Record) {
	c.current = rec.EvalID
	c.all, c.graded = report.Causes(rec)
	c.graded = c.graded || rec.Verdict != score.Ungraded
	for i, cause := range c.all {
		c.all[i] = Printable(cause)
	}
	if c.firstIDs == nil {
		c.firstIDs = map[string]string{}
	}
}

// firstCase returns the case that shows why the current one is ungraded, or "" if something of the
// current case is new.
func (c *causes) firstCase() (id string) {
	if c.graded {
		return ""
	}
	for _, cause := range c.all {
		first := c.firstIDs[cause]
		if first == "" || id != "" && first != id {
			return ""
		}
		id = first
	}
	return id
}

// abbreviate replaces causes in a line that were drawn already.
func (c *causes) abbreviate(line string) string {
	if c == nil {
		return line
	}
	for _, cause := range c.all {
		if !strings.Contains(line, cause) {
			continue
		}
		first := c.firstIDs[cause]
		switch {
		case first == "":
			c.firstIDs[cause] = c.current
		case len(cause) < minCause:
		case first == c.current:
			line = strings.ReplaceAll(strings.ReplaceAll(line, " ("+cause+")", ""), cause, asAbove)
		default:
			line = strings.ReplaceAll(line, cause, "as in "+Printable(first))
		}
	}
	return line
}
