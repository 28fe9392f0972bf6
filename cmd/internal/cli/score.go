package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/wasm/api"
)

var scoreCommand = command{
	name:    "score",
	args:    "FILE",
	summary: "Score a judge's reply to a case, without a model",
	example: "rubric score my.eval.yaml --case refund-window < reply.json",
	setup: func(flags *pflag.FlagSet) func(*session, []string) error {
		id := flags.String("case", "", "score the case `ID` (default: the only one)")
		reply := flags.String("reply", "-", "read the judge's reply from `FILE`; - is the standard input")
		var format string
		formatVar(flags, &format, "text", "json")
		settings := &run.Settings{}
		declareOptions(flags, settings, "profile "+evalsetOptions)
		return func(s *session, args []string) error { return s.score(args, *id, *reply, format, settings) }
	},
}

func (s *session) score(args []string, id, replyPath, format string, settings *run.Settings) error {
	path, _ := splitCaseIDs(args[0])
	named, err := host.RunSettings(path)
	if err != nil {
		return err
	}
	settings.Profile = settings.Or(named.Settings).Profile
	set, body, err := s.openFile(args[0])
	if set != nil {
		return s.scoreEvalset(args[0], id, replyPath, format, settings)
	}
	if err != nil {
		return err
	}
	if flag := evalsetFlag(settings); flag != "" {
		return fmt.Errorf("%s applies only to ADK files, and %s is not one", flag, args[0])
	}
	a := analysis.Of(host.NewInput(args[0], body))
	c, err := caseByID(a.Suite(), args[0], id)
	if err != nil {
		return err
	}
	others, err := unscoredGraders(c)
	if err != nil {
		return err
	}
	reply, err := s.readReply(replyPath)
	if err != nil {
		return err
	}
	raw, _ := json.Marshal(reply) // texts always encode
	params := api.ScoreParams{Reply: raw, Profile: settings.Profile}
	params.Text, params.Path, params.Case = &body, args[0], id
	result, err := api.Score(params)
	if err != nil {
		return err
	}
	isScored := func(other *rubric.Case) bool { return other.ID == c.ID }
	if errs := analysis.FindRunErrors(a.Suite, a.Diagnostics()).Blocking(isScored); len(errs) > 0 {
		s.printNote(fmt.Sprintf("%s has %s that %s the case; see `rubric check %s`", args[0], diag.CountNoun(len(errs), "error"), diag.Plural(len(errs), "concerns", "concern"), args[0]))
	}
	if len(others) > 0 {
		s.printNote("only a judge's reply is scored here, not " + diag.JoinList(diag.Backtick(others), "and"))
	}
	return s.printAs(format, result, describeScore(result))
}

// unscoredGraders returns the names of the graders other than the one whose reply is scored. It is an error if no
// grader asks a judge.
func unscoredGraders(c *rubric.Case) (names []string, err error) {
	scored := c.Rubric()
	if i := slices.IndexFunc(c.Graders, func(g *rubric.Grader) bool { return g.Kind == rubric.LLMJudge }); scored == nil && i >= 0 {
		scored = c.Graders[i]
	}
	for _, g := range c.Graders {
		if g != scored {
			names = append(names, g.Name)
		}
	}
	switch {
	case scored == nil && len(names) > 0:
		return nil, fmt.Errorf("the case `%s` asks no judge: %s", c.ID, diag.JoinList(diag.Backtick(names), "and")+" "+diag.Plural(len(names), "grades", "grade")+" it")
	case scored == nil && c.Fallback != rubric.LLMJudge:
		return nil, fmt.Errorf("the case `%s` asks no judge", c.ID)
	}
	return names, nil
}

func (s *session) readReply(path string) (string, error) {
	if path != "-" {
		return disk.ReadArgument(path)
	}
	if isTerminal(s.stdin) {
		fmt.Fprintln(s.stderr, "rubric: reading the judge's reply from standard input; end it with Ctrl-D")
	}
	return disk.ReadAll("standard input", s.stdin, 0)
}

// describeScore returns the verdict, and a line for each grade.
func describeScore(r api.ScoreResult) string {
	lines := []string{string(r.Verdict)}
	if r.Score != nil {
		lines[0] += fmt.Sprint(" ", *r.Score)
	}
	for _, g := range r.Gates {
		if g.Failed() {
			lines = append(lines, fmt.Sprintf("  gate  %s: %s", g.ID, g.Reason))
		}
	}
	lines = append(lines, generic.Map(r.Hits, func(hit string) string { return "  hit   " + hit })...)
	lines = append(lines, generic.Map(r.Misses, func(miss string) string { return "  miss  " + miss })...)
	for _, g := range r.Grades {
		if g.Ungraded != "" {
			lines = append(lines, fmt.Sprintf("  none  [%s] %s", g.ID, g.Ungraded))
		}
	}
	lines = append(lines, generic.Map(r.Problems, func(p string) string { return "  reply " + p })...)
	return strings.Join(lines, "\n") + "\n"
}

// scoreEvalset measures one case of an evalset with given replies.
func (s *session) scoreEvalset(path, id, replyPath, format string, settings *run.Settings) error {
	sets, err := s.loadSuites([]string{path}, &runOptions{Settings: *settings})
	if err != nil {
		return err
	}
	set := sets[0]
	c, err := caseByID(set.suite, path, id)
	if err != nil {
		return err
	}
	evaluation := *set.evaluation
	evaluation.Suite.Cases = []*rubric.Case{c}
	replyJudge := judge.Judge(judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
		return judge.Answer{}, errors.New("no reply")
	}))
	replies := &api.GivenReplies{}
	asksJudge := slices.ContainsFunc(evaluation.Criteria, func(c metric.Criterion) bool {
		return c.Metric != metric.ToolTrajectory && c.Metric != metric.ResponseMatch && c.Metric != metric.ToolParameters
	})
	if asksJudge {
		if replyJudge, replies, err = s.readReplies(replyPath, evaluation); err != nil {
			return err
		}
	}
	settings.Judges = []string{"the reply"}
	ports := run.Host{OpenJudge: func(context.Context, string, string) (run.OpenedJudge, error) {
		return run.OpenedJudge{Judge: replyJudge}, nil
	}}
	opened, err := run.Open(s.ctx, ports, *settings, run.File{Suite: evaluation.Suite, Conversations: set.conversations(evaluation)})
	if err != nil {
		return err
	}
	rec := *opened.RunCase(s.ctx, evaluation.Suite, c, func(*run.GraderRecord) {})
	if format == "json" {
		return report.WriteJSON(s.stdout, map[string]any{"result": rec, "questions": replies.Questions()})
	}
	return s.printReport(report.Report{Suites: []report.Suite{{Path: set.path, Name: evaluation.Suite.Name, Records: []run.Record{rec}}}}, format)
}

// readReplies reads the judge's replies: JSON with one reply for each question, or one
// text for all. With one text, each question is asked once.
func (s *session) readReplies(path string, t adk.Evaluation) (judge.Judge, *api.GivenReplies, error) {
	text, err := s.readReply(path)
	if err != nil {
		return nil, nil, err
	}
	for i := range t.Criteria {
		t.Criteria[i].Judge.Parallel = 1 // keeps the order of replies in a list
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

// caseByID returns the case with an id, or the only case.
func caseByID(suite *rubric.Suite, path, id string) (*rubric.Case, error) {
	if c := suite.SelectCase(id); c != nil {
		return c, nil
	}
	switch {
	case len(suite.Cases) == 0:
		return nil, fmt.Errorf("%s has no cases", path)
	case id == "":
		return nil, fmt.Errorf("%s has %d cases; choose one with --case", path, len(suite.Cases))
	}
	return nil, fmt.Errorf("%s has no case `%s`%s", path, id, spell.DidYouMean(id, suite.CaseIDs()))
}
