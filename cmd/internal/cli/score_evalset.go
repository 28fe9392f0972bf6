package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/wasm/api"
)

// scoreEvalset measures one case of an evalset with replies that are there.
func (s *session) scoreEvalset(path, id, replyPath, format string, o *evalsetOptions) int {
	if err := o.validateEvalset(); err != nil {
		return s.commandError("%s", err)
	}
	sets, code := s.loadSuites([]string{path}, &runOptions{evalsetOptions: *o, needAllCases: id == ""})
	if code != exitOK {
		return code
	}
	set := sets[0]
	c, err := set.findCase(id)
	if err != nil {
		return s.commandError("%s", err)
	}
	evaluation := *set.evaluation
	evaluation.Suite.Cases = []*rubric.Case{c}
	replyJudge := judge.Judge(judge.Func(noReply))
	replies := &api.GivenReplies{}
	if asksJudge(evaluation) {
		if replyJudge, replies, err = s.readReplies(replyPath, evaluation); err != nil {
			return s.commandError("%s", err)
		}
	}
	r := run.Runner{
		Measure: evaluation.Measure(metric.Ports{Judge: replyJudge, Profile: set.profile}), Profile: run.MetricProfile(set.profile),
		TargetName: set.target.name, JudgeName: "the reply",
	}
	var rec run.Record
	for event := range r.Run(s.ctx, evaluation.Suite, nil) {
		if event.Stage == run.Done {
			rec = *event.Record
		}
	}
	if format == "json" {
		err = writeJSON(s.stdout, map[string]any{"result": rec, "questions": replies.Questions()})
	} else {
		err = s.printReport(report.Report{Suites: []report.Suite{{Path: set.path, Name: evaluation.Suite.Name, Records: slices.Values([]run.Record{rec})}}}, format)
	}
	if err != nil {
		return s.commandError("write the result: %s", err)
	}
	return exitOK
}

// findCase is the case with an id, or the only one.
func (l loadedSuite) findCase(id string) (*rubric.Case, error) {
	if l.chunks == nil {
		return caseByID(l.suite, l.path, id)
	}
	var failed error
	for c := range l.chunks.cases(&failed) {
		if c.ID == id {
			return c, nil
		}
	}
	return nil, cmp.Or(failed, unknownCaseError(id, l.chunks.caseIDs()))
}

// noReply answers no question, and none is put.
func noReply(context.Context, judge.Question) (judge.Answer, error) {
	return judge.Answer{}, fmt.Errorf("there is no reply")
}

// asksJudge reports whether one of the trial's metrics asks a judge.
func asksJudge(t adk.Evaluation) bool {
	for _, c := range t.Criteria {
		switch c.Metric {
		case metric.ToolTrajectory, metric.ResponseMatch, metric.ToolParameters:
		default:
			return true
		}
	}
	return false
}

// readReplies reads what the judge replied: JSON for one question each, or a text for
// all, which is then asked for once each.
func (s *session) readReplies(path string, t adk.Evaluation) (judge.Judge, *api.GivenReplies, error) {
	text, err := s.readReply(path)
	if err != nil {
		return nil, nil, err
	}
	for i := range t.Criteria {
		t.Criteria[i].Judge.Parallel = 1 // so that replies in a list have an order
	}
	if replies, err := api.ParseReplies(json.RawMessage(text)); err == nil {
		return replies, replies, nil
	}
	for i := range t.Criteria {
		t.Criteria[i].Judge.Samples = 1
	}
	return judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
		return judge.Answer{Text: text}, nil
	}), &api.GivenReplies{}, nil
}

// caseByID is the case with an id, or the only one.
func caseByID(suite *rubric.Suite, path, id string) (*rubric.Case, error) {
	if c := suite.SelectCase(id); c != nil {
		return c, nil
	}
	switch {
	case len(suite.Cases) == 0:
		return nil, fmt.Errorf("%s has no cases", path)
	case id == "":
		return nil, fmt.Errorf("%s has %d cases; say which with --case", path, len(suite.Cases))
	}
	return nil, fmt.Errorf("%s has no case `%s`%s", path, id, spell.DidYouMean(id, suite.CaseIDs()))
}
