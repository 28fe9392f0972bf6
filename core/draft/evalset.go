package draft

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Cases returns the cases of a file that criteria can be drafted for, or the reason why not, with spans
// of the file. The turns of an ADK evalset are cases of their own with the case's id, because each is
// judged by rubrics of its own. So are the metrics of a configuration, with their names as ids.
func Cases(a *analysis.Analysis) (all []*rubric.Case) {
	if a.ADK() == adk.None {
		return a.Suite().AllCases()
	}
	a.Chunks(func(p *analysis.Chunk) bool {
		for _, c := range CasesIn(p) {
			c.Span = p.ToFile(c.Span)
			all = append(all, c)
		}
		return true
	})
	return all
}

// CasesIn is [Cases] for one chunk, with spans of the chunk.
func CasesIn(p *analysis.Chunk) (all []*rubric.Case) {
	switch {
	case p.ADK == nil:
		return p.Suite.AllCases()
	case p.ADK.Role == adk.Config:
		for _, c := range adk.LowerConfig(metric.Latest, *p.ADK).Criteria {
			if adk.RubricTypeForMetric(c.Metric) != "" && c.Node != nil {
				all = append(all, newRubricHolder(c.Metric, c.Node, c.Node.Get("rubrics")))
			}
		}
	case p.ADK.Role == adk.EvalSet:
		for _, c := range adk.LowerSet(metric.Latest, *p.ADK).Cases {
			all = append(all, casesOf(c)...)
		}
	}
	return all
}

// casesOf returns the turns of a case, or the case if it has rubrics or no turns. Their SelectionSpan is
// that of the case.
func casesOf(c adk.Case) (all []*rubric.Case) {
	if own := newRubricHolder(c.ID, c.Node, c.Node.Get("rubrics")); own.Rubric() != nil || len(c.Turns) == 0 {
		return []*rubric.Case{own}
	}
	var asked []string
	for i, n := range c.Turns {
		turn := c.Conversation[i]
		question, _ := turn.User.Text()
		asked = append(asked, question)
		own := newRubricHolder(c.ID, n, n.Get("rubrics"))
		own.SelectionSpan = c.Node.Span
		own.Question, own.ReferenceAnswer = strings.Join(asked, "\n\n"), metric.FinalAnswers(c.Conversation[i:i+1])
		own.Beyond, own.DialectData = fmt.Sprint("turn ", i), toolStatements(turn.Calls())
		all = append(all, own)
	}
	return all
}

// newRubricHolder returns what holds rubrics as a case whose only grader they are.
func newRubricHolder(id string, n, rubrics *yaml.Node) *rubric.Case {
	c := &rubric.Case{ID: id, Span: n.Span, SelectionSpan: n.Span}
	if criteria := adk.LocateRubrics(rubrics); len(criteria) > 0 {
		c.Graders = []*rubric.Grader{{Name: "rubrics", Kind: rubric.LLMJudge, Criteria: criteria}}
	}
	return c
}

// toolStatements returns statements about the order of tool calls.
func toolStatements(calls []metric.ToolCall) (all []string) {
	for i, call := range calls {
		statement := "Calls " + call.Name + " before it answers"
		if i > 0 && calls[i-1].Name != call.Name {
			statement = "Calls " + calls[i-1].Name + " before " + call.Name
		}
		if (len(calls) == 1 || i > 0) && len(all) < maxFromReference && !slices.Contains(all, statement) {
			all = append(all, statement)
		}
	}
	return all
}

// adkSyntax is how ADK writes rubrics.
var adkSyntax = rubricSyntax{key: "rubrics", textKey: "text_property"}

// newRubricPoint is newInsertionPoint for rubrics of ADK.
func newRubricPoint(a *analysis.Analysis, p *analysis.Chunk, c *rubric.Case) (insertionPoint, error) {
	ip := insertionPoint{chunk: p, testCase: c, caseNode: mappingAt(p.Tree, c.Span), rubricSyntax: adkSyntax}
	what := "the case"
	if p.ADK.Role == adk.Config {
		what = "the metric"
	}
	switch {
	case ip.caseNode == nil || len(ip.caseNode.Pairs) == 0:
		return ip, fmt.Errorf("%s `%s` is not a mapping that rubrics can be added to; write it with its `threshold`", what, c.ID)
	case c.Rubric() != nil:
		return ip, fmt.Errorf("%s `%s` already has rubrics", what, c.ID)
	case a != nil && p.ADK.Role == adk.Config: // its evalsets are read only for a draft
		ip.agent = describeAgent(a, c.ID)
	}
	if err := ip.findEmptyEntry(what); err != nil {
		return ip, err
	}
	c = ip.draftCase()
	tools, _ := c.DialectData.([]string)
	if nothing := c.ExpectedOutcome == "" && c.ReferenceAnswer == "" && len(tools) == 0; nothing && p.ADK.Role == adk.Config && a != nil {
		return ip, fmt.Errorf("no evalset next to the configuration has instructions of an agent or tool calls to draft rubrics of `%s` from", c.ID)
	} else if nothing && p.ADK.Role == adk.EvalSet {
		return ip, fmt.Errorf("there is no expected answer or tool call of `%s` to draft rubrics from", c.ID)
	}
	return ip, nil
}

// describeAgent returns what the evalsets next to a configuration say about the agent, as a case to
// draft rubrics of a metric from.
func describeAgent(a *analysis.Analysis, name string) *rubric.Case {
	c := &rubric.Case{ID: name}
	var instructions, questions, answers, tools []string
	add := func(all *[]string, words string) {
		if words = strings.TrimSpace(words); words != "" && !slices.Contains(*all, words) {
			*all = append(*all, words)
		}
	}
	for _, set := range a.SiblingEvalsets() {
		for _, turn := range set.Turns() {
			for _, agent := range turn.Agents {
				add(&instructions, agent.Instructions)
			}
			question, _ := turn.User.Text()
			add(&questions, question)
			add(&answers, metric.FinalAnswers([]metric.Invocation{turn}))
			for _, statement := range toolStatements(turn.Calls()) {
				add(&tools, statement)
			}
		}
	}
	if adk.RubricTypeForMetric(c.ID) == metric.ToolUseQuality {
		c.DialectData = tools[:min(len(tools), maxCriteria)]
	}
	const most = 5 // examples for a judge
	c.ExpectedOutcome = strings.Join(instructions, "\n")
	c.Question = strings.Join(questions[:min(len(questions), most)], "\n\n")
	if c.ExpectedOutcome != "" {
		c.ReferenceAnswer = strings.Join(answers[:min(len(answers), most)], "\n\n")
	}
	return c
}

// aboutAgent matches a sentence of an agent's instructions that says who it is, or a heading.
var aboutAgent = pattern.New(`(?i)^(?:you(?:'re| are)\s|i am\s|[^.]*:$)`)

// rubricStatements is [Statements] for rubrics of ADK. Those of a configuration are for every turn, so
// they come from the agent's instructions and not from one answer.
func (ip insertionPoint) rubricStatements() []Criterion {
	c, isConfig := ip.draftCase(), ip.chunk.ADK.Role == adk.Config
	tools, _ := c.DialectData.([]string)
	var all []Criterion
	if isConfig && adk.RubricTypeForMetric(c.ID) == metric.ToolUseQuality {
		c.ExpectedOutcome = ""
	}
	if isConfig {
		for _, s := range splitStatements(c.ExpectedOutcome) {
			if len(all) < maxCriteria && len(strings.Fields(s)) >= 3 && !aboutAgent().MatchString(s) {
				follows := newStatement(s, all)
				follows.ExpectedOutcome = `Follows the instruction "` + strings.ReplaceAll(s, `"`, `'`) + `"`
				all = append(all, follows)
			}
		}
	} else {
		all = Statements(c)
	}
	for _, s := range tools {
		if len(all) < maxCriteria {
			tool := newStatement(s, all)
			tool.rubricType = metric.ToolUseQuality
			all = append(all, tool)
		}
	}
	return all
}

// agentPrefix starts the ids of drafts for a configuration.
const agentPrefix = "draft_agent_"

// toRubrics returns criteria as ADK can express them: of equal weight, none required, with ids in
// snake_case.
func (ip insertionPoint) toRubrics(criteria []Criterion) []Criterion {
	if ip.chunk.ADK == nil {
		return criteria
	}
	criteria = slices.Clone(criteria)
	for i := range criteria {
		id := strings.ReplaceAll(criteria[i].ID, "-", "_")
		if ip.chunk.ADK.Role == adk.Config && !strings.HasPrefix(id, agentPrefix) { // no turn may have the same id
			id = agentPrefix + strings.TrimPrefix(id, agentPrefix[:len(IDPrefix)])
		}
		criteria[i].ID, criteria[i].Weight, criteria[i].Required = id, 1, false
	}
	return criteria
}

// rubricItem returns the entries of a rubric. One of a criterion needs no type.
func (ip insertionPoint) rubricItem(c Criterion) []entry {
	item := []entry{{key: "rubric_id", name: c.ID}, {key: "rubric_content", fields: []entry{{key: ip.textKey, text: c.ExpectedOutcome}}}}
	if ip.chunk.ADK.Role == adk.EvalSet {
		item = append(item, entry{key: "type", name: cmp.Or(c.rubricType, metric.FinalResponseQuality)})
	}
	return item
}

// Draftable returns those of the [Cases] with an id that criteria can be drafted for: several for the
// turns of an ADK case. Without any, the error says why.
func Draftable(a *analysis.Analysis, id string) (cases []*rubric.Case, err error) {
	for _, c := range Cases(a) {
		if c.ID != id {
			continue
		}
		if why := CheckDraftable(a, c); why == nil {
			cases = append(cases, c)
		} else {
			err = cmp.Or(err, why)
		}
	}
	if len(cases) > 0 {
		return cases, nil
	}
	return nil, err
}

// NewForAll drafts criteria for several cases, such as the turns of one, as one draft. It leaves out
// cases whose draft fails, unless all do.
func NewForAll(ctx context.Context, j judge.Judge, a *analysis.Analysis, cases []*rubric.Case) (whole Draft, err error) {
	var drafts []Draft
	for _, c := range cases {
		d, why := New(ctx, j, a, c)
		if why != nil {
			err = cmp.Or(err, why)
			continue
		}
		drafts = append(drafts, d)
		whole.Case, whole.Criteria, whole.Edits = c, append(whole.Criteria, d.Criteria...), append(whole.Edits, d.Edits...)
		whole.Notes, whole.Remarks = append(whole.Notes, d.Notes...), append(whole.Remarks, d.Remarks...)
	}
	if len(drafts) == 0 {
		return whole, err
	}
	_, err = Combine(a, drafts)
	return whole, err
}
