// Package panel shows one case: what is asked, answered and judged, and why.
package panel

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/hover"
	"github.com/rubric-ls/rubric/core/ide/internal/facts"
	"github.com/rubric-ls/rubric/core/ide/testitem"
	"github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// A Panel shows a case and its last run. Facts and Flips are Markdown.
type Panel struct {
	Item     testitem.Item `json:"item"`              // the case, with its criteria and their results
	Run      *ide.RunNames `json:"run,omitzero"`      // whom a run would ask
	Messages []Message     `json:"messages"`          // the question as a conversation
	Answer   string        `json:"answer,omitzero"`   // that was judged, or else the expected one
	Judged   bool          `json:"judged"`            // Answer is that of the last run
	Expected string        `json:"expected,omitzero"` // outcome
	Reasons  []string      `json:"reasons"`           // why the last run did not pass
	Flips    []string      `json:"flips"`             // what would flip the verdicts of the last run
	Facts    []Facts       `json:"facts"`             // of the item's children
	Graders  []Grader      `json:"graders"`           // of the last run, with their members
	Prompts  []Prompt      `json:"prompts"`           // to the judge
	Runs     []PastRun     `json:"runs"`              // the last first
}

// Message is a message of the conversation.
type Message struct {
	Role string `json:"role"`
	Text string `json:"text"`
}

// Facts say what a criterion is worth: its weight, its gate and its bands.
type Facts struct {
	ID    string   `json:"id"` // of the item
	Lines []string `json:"lines"`
}

// Grader is what a grader came to. Hits and Misses are those of one without criteria. Notes say who judged,
// and which replies were not usable.
type Grader struct {
	Name   string   `json:"name"`
	Type   string   `json:"type"`
	Text   string   `json:"text"` // its score, or why it has none
	Hits   []string `json:"hits"`
	Misses []string `json:"misses"`
	Notes  []string `json:"notes"`
}

// Prompt is the question to a judge about the answer, or with several trials or members one of them.
type Prompt struct {
	Grader string `json:"grader"`
	System string `json:"system"`
	User   string `json:"user"`
}

// PastRun is a run of the case. Changes say which criteria have another verdict than in the run before.
type PastRun struct {
	Time    string        `json:"time"` // RFC 3339
	Target  string        `json:"target"`
	Judge   string        `json:"judge"`
	Verdict score.Verdict `json:"verdict"`
	Score   *float64      `json:"score"`
	Changes []string      `json:"changes"`
}

// At returns the panel of a case: the last that starts at or above an offset, or the first. Of several that
// start at one place it is the one with an ID, if there is one. It is nil without cases. The runs are those with
// a target, or all without one.
func At(f *ide.File, offset int, id, target string) *Panel {
	var found *rubric.Case
	for _, c := range f.Host.Suite().Cases {
		switch {
		case found == nil:
		case c.Span.Start > offset || c.Span.Start < found.Span.Start:
			continue
		case c.Span.Start == found.Span.Start && found.ID == id:
			continue
		}
		found = c
	}
	if found == nil {
		return nil
	}
	last := f.Host.LastRun(found, target)
	asked := *f // whose last run is the one that is shown
	asked.Host.LastRun = func(*rubric.Case, string) *ide.LastRun { return last }
	return newPanel(&asked, found, last)
}

func newPanel(f *ide.File, c *rubric.Case, last *ide.LastRun) *Panel {
	p := &Panel{
		Messages: []Message{}, Answer: c.ReferenceAnswer, Expected: c.ExpectedOutcome,
		Reasons: []string{}, Flips: []string{}, Facts: []Facts{}, Graders: []Grader{}, Prompts: []Prompt{}, Runs: []PastRun{},
	}
	if tree := testitem.Tree(f, testitem.Selection{Case: c.ID}); tree != nil && len(tree.Children) > 0 {
		p.Item = tree.Children[0]
	}
	if f.Host.RunNames != nil {
		p.Run = f.Host.RunNames()
	}
	for _, m := range c.Asked() {
		p.Messages = append(p.Messages, Message{m.Role, m.Text()})
	}
	if len(p.Messages) == 0 && c.Question != "" {
		p.Messages = append(p.Messages, Message{"user", c.Question})
	}
	profile := score.Spec
	if last != nil {
		profile = last.Record.Profile
		p.addRun(c, last)
	}
	p.addGraders(f, c, profile)
	return p
}

// addRun adds the last run, and those before.
func (p *Panel) addRun(c *rubric.Case, last *ide.LastRun) {
	outcome := last.Outcome()
	p.Answer, p.Judged = last.Record.CandidateAnswer, true
	p.Reasons = append(p.Reasons, outcome.Reasons...)
	for _, g := range c.Graders {
		if flip := hover.FlippingGrades(c, g, outcome); flip != "" {
			p.Flips = append(p.Flips, strings.TrimPrefix(flip, "what would flip "))
		}
	}
	p.addOutcomes(last.Record.Graders)
	all := append([]run.Record{last.Record}, last.Earlier...)
	for i, r := range all {
		past := PastRun{r.Timestamp, r.Target, r.Judge, r.Verdict, r.Score, []string{}}
		if i+1 < len(all) {
			past.Changes = changes(all[i+1], r)
		}
		p.Runs = append(p.Runs, past)
	}
}

// addOutcomes adds what the graders came to.
func (p *Panel) addOutcomes(graders []run.GraderRecord) {
	for _, g := range graders {
		if g.Metric != nil {
			continue // an item has its result
		}
		shown := Grader{Name: g.Name, Type: string(g.Type), Text: g.LabelText(g.Ungraded, ""), Hits: []string{}, Misses: []string{}, Notes: []string{}}
		if g.Score != nil {
			shown.Text = strings.TrimSuffix("score "+report.FormatScore(*g.Score)+"; "+shown.Text, "; ")
		}
		if len(g.Grades) == 0 {
			shown.Hits, shown.Misses = append(shown.Hits, g.Hits...), append(shown.Misses, g.Misses...)
		}
		tokens := 0
		for _, r := range g.Replies {
			tokens += r.Usage.Input + r.Usage.Output
			for _, problem := range r.Problems {
				shown.Notes = append(shown.Notes, "a reply could not be used: "+problem)
			}
		}
		if n := len(g.Replies); n > 0 && tokens > 0 {
			shown.Notes = append(shown.Notes, fmt.Sprintf("%s: replies %d, tokens %d", cmp.Or(g.Replies[0].Model, "judge"), n, tokens))
		}
		p.Graders = append(p.Graders, shown)
		p.addOutcomes(g.Members)
	}
}

// changes lists the criteria that were graded differently in two runs.
func changes(before, after run.Record) []string {
	was, now := ide.NewOutcome(before, nil, true), ide.NewOutcome(after, nil, true)
	list := []string{}
	for _, g := range now.Grades {
		old := was.FindGrade(g.Grader, g.Grade.ID)
		if old == nil {
			continue
		}
		if from, to := facts.DescribeGrade(old.Grade), facts.DescribeGrade(g.Grade); from != to {
			list = append(list, facts.InlineCode(g.Grade.ID)+" from "+from+" to "+to)
		}
	}
	return list
}

// addGraders adds what the criteria are worth, and the prompts.
func (p *Panel) addGraders(f *ide.File, c *rubric.Case, profile score.Profile) {
	for g := range rubric.Walk(grade.GradersOf(c)) {
		for i, criterion := range g.Criteria {
			cr := facts.CriterionRef{TestCase: c, Grader: g, Index: i}
			lines := []string{cr.WeightText(), cr.GateText()}
			if criterion.HasBands() {
				lines = append(lines, facts.DescribeCoverage(criterion.Bands))
			}
			p.Facts = append(p.Facts, Facts{testitem.ID(f.URI, c.ID, g.Name, criterion.ID), lines})
		}
		if g.Kind == rubric.LLMJudge {
			q := grade.Question(profile, c, g, grade.Submission{Answer: p.Answer})
			p.Prompts = append(p.Prompts, Prompt{g.Name, q.System, q.User})
		}
	}
}
