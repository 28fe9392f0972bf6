package assertion_test

import (
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv/assertion"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

func parse(body string) *yaml.Tree { return yaml.Parse(text.New("t.yaml", body)) }

// shape formats a result: a line for each grader, then the losses, then the reason for refusal.
func shape(r assertion.Result) string {
	var lines []string
	for _, g := range r.Graders {
		lines = append(lines, grader(g))
	}
	for _, l := range r.Losses {
		level := string(l.Level)
		if level == "" {
			level = "silent"
		}
		lines = append(lines, strings.TrimRight(fmt.Sprintf("! %s %s %s", level, l.Kind, l.Detail), " "))
	}
	if r.Refused != "" {
		lines = append(lines, "refused "+r.Refused)
	}
	return strings.Join(lines, "\n")
}

func grader(g *rubric.Grader) string {
	line := fmt.Sprintf("%s %s/%s *%v", g.Name, g.Kind, g.Assert.Type, g.Weight)
	for _, c := range g.Criteria {
		line += fmt.Sprintf(" (%s %q *%v must=%v", c.ID, c.Text, c.Weight, c.IsRequired())
		if c.MinScore != nil {
			line += fmt.Sprintf(" min=%v", *c.MinScore)
		}
		for _, b := range c.Bands {
			line += fmt.Sprintf(" %v-%v=%s", b.Lo, b.Hi, b.Text)
		}
		line += strings.TrimRight(" "+c.Operator, " ") + ")"
	}
	if g.Assert.Value != nil {
		line += fmt.Sprintf(" value=%v", g.Assert.Value)
	}
	if g.Assert.Flags != "" {
		line += " flags=" + g.Assert.Flags
	}
	if g.Assert.Config != nil {
		line += fmt.Sprintf(" config=%v", g.Assert.Config)
	}
	if g.Code != nil {
		line += fmt.Sprintf(" argv=%q", g.Code.Argv)
	}
	if g.Prompt != nil {
		line += fmt.Sprintf(" prompt=%q file=%q argv=%q", g.Prompt.Text, g.Prompt.Path, g.Prompt.Script)
	}
	if g.Combine != nil {
		line += " " + g.Combine.Type
		if g.Combine.Threshold != nil {
			line += fmt.Sprintf(">=%v", *g.Combine.Threshold)
		}
	}
	for _, m := range g.Members {
		line += " [" + grader(m) + "]"
	}
	return line + commonKeys(g)
}

// commonKeys are the keys that every entry may have.
func commonKeys(g *rubric.Grader) (line string) {
	if g.Negate {
		line += " negated"
	}
	if g.Required {
		line += " required"
	}
	if g.MinScore != nil {
		line += fmt.Sprintf(" min=%v", *g.MinScore)
	}
	if g.Threshold != nil {
		line += fmt.Sprintf(" threshold=%v", *g.Threshold)
	}
	return line
}
