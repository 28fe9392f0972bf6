package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/spell"
)

var testCommand = command{
	name:    "test",
	args:    "FILE",
	summary: "Test rubrics with good and bad example answers",
	example: "rubric test my.eval.yaml --judge openai:gpt-4.1-mini",
	setup: func(flags *pflag.FlagSet) func(*session, []string) error {
		o, labels := &runOptions{needAllCases: true}, ""
		flags.StringVar(&labels, "labels", "", "read the examples from `FILE` (default: the labels file next to the eval file)")
		formatVar(flags, &o.format, "text", "json")
		flags.StringArrayVar(&o.cases, "case", nil, "select cases by `ID` or pattern (repeatable)")
		declareOptions(flags, &o.Settings, strings.TrimPrefix(judgingOptions, "target ")+" config metric adk")
		flags.BoolVar(&o.trust, "trust", false, "consent to judges that files name")
		return func(s *session, args []string) error { return s.test(args, labels, o) }
	},
}

// A testedExample is an example with the verdict on it.
type testedExample struct {
	Case    string        `json:"case"`
	Example string        `json:"example"` // "good 1"
	Answer  string        `json:"answer"`
	Verdict score.Verdict `json:"verdict"`
	Wanted  score.Verdict `json:"wanted"`
	Score   *float64      `json:"score"`
	Reasons []string      `json:"reasons"` // why the verdict is not pass
}

func (s *session) test(args []string, labels string, o *runOptions) error {
	if err := errors.Join(o.validate(args), run.FindOption("target").Set(&o.Settings, "--target", []string{run.SelfTargetName})); err != nil {
		return err
	}
	defer s.handleInterrupts()()
	backends, err := interruptible(s, func(s *session) (*backends, error) {
		file, err := s.openLabels(args[0], labels)
		if err != nil {
			return nil, err
		}
		if o.examples = agentv.ReadExamples(file.tree); len(o.examples) == 0 {
			return nil, fmt.Errorf("%s contains no examples; `rubric test --help` shows the format", file.path)
		}
		return s.prepare(args, o)
	})
	if err != nil {
		return err
	}
	defer backends.close()
	suite := backends.suites[0]
	answers := run.Recording{}
	for i, c := range suite.suite.Cases {
		answers[c.ID] = run.RecordedAnswer{Submission: grade.Submission{Answer: o.examples[i].Answer}}
	}
	if suite.evaluation == nil {
		suite.run.Target, suite.run.TargetName = answers.Respond, "examples"
	}
	o.cases = nil // the suite has only the selected ones
	tested := []testedExample{}
	err = s.runSuite(suite, &run.Resume{}, o, func(e run.Event) error {
		x, rec, wanted := o.examples[len(tested)], e.Record, score.Fail
		if x.IsGood {
			wanted = score.Pass
		}
		tested = append(tested, testedExample{x.Case, x.Name(), x.Answer, rec.Verdict, wanted, rec.Score, append([]string{}, rec.WithLabels().Reasons...)})
		return nil
	})
	backends.printNotes(s.stderr)
	text, status := describeTested(tested)
	if err == nil {
		err = s.printAs(o.format, map[string]any{"examples": tested}, text)
	}
	return cmp.Or(err, status.err())
}

// describeTested describes the examples, a line for each, and returns the exit status.
func describeTested(tested []testedExample) (string, exitStatus) {
	var out strings.Builder
	var status exitStatus
	wrong := 0
	for _, t := range tested {
		mark, requirement := "ok", ""
		switch t.Verdict {
		case t.Wanted:
		case score.Ungraded:
			mark, status = "ungraded", cmp.Or(status, exitUnreachable)
		default:
			mark, requirement, status = "WRONG", fmt.Sprintf(", but it must %s", t.Wanted), exitFindings
			wrong++
		}
		fmt.Fprintf(&out, "%-8s  %s %s: %s", mark, tableCell(t.Case), t.Example, t.Verdict)
		if t.Score != nil {
			fmt.Fprintf(&out, " %.4g", *t.Score)
		}
		out.WriteString(requirement + "\n")
		if mark != "ok" {
			for _, reason := range t.Reasons {
				fmt.Fprintf(&out, "          %s\n", tableCell(reason))
			}
		}
	}
	fmt.Fprintf(&out, "%d of %d examples have the wrong verdict\n", wrong, len(tested))
	return out.String(), status
}

// withExamples returns a suite with the examples as cases, each with only the rubrics of its case. It
// keeps the selected examples.
func (l loadedSuite) withExamples(o *runOptions) (loadedSuite, error) {
	ids := l.suite.CaseIDs()
	selects := run.MatchIDs(o.cases...)
	for _, e := range o.examples {
		if !slices.Contains(ids, e.Case) {
			return l, fmt.Errorf("there are examples of `%s`, but no such case%s", e.Case, spell.DidYouMean(e.Case, ids))
		}
	}
	o.examples = slices.DeleteFunc(o.examples, func(e rubric.Example) bool { return !selects(l.suite.Case(e.Case)) })
	if len(o.examples) == 0 {
		return l, errors.New("the selected cases have no examples")
	}
	if l.evaluation != nil {
		evaluation := l.evaluation.WithExamples(o.examples)
		if len(evaluation.Criteria) == 0 {
			return l, errors.New("the configuration has no metric with rubrics to test")
		}
		l.suite, l.evaluation = evaluation.Suite, &evaluation
		return l, nil
	}
	suite := *l.suite
	suite.Cases = nil
	for _, e := range o.examples {
		c := *l.suite.Case(e.Case)
		c.Graders = slices.DeleteFunc(slices.Clone(c.Graders), func(g *rubric.Grader) bool { return len(g.Criteria) == 0 })
		if len(c.Graders) == 0 {
			return l, fmt.Errorf("the case `%s` has no rubric to test", c.ID)
		}
		c.ID, c.Target, c.Conversation, c.DependsOn = e.Case+" "+e.Name(), "", nil, nil
		suite.Cases = append(suite.Cases, &c)
	}
	l.suite = &suite
	return l, nil
}
