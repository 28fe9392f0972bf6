package cli

import (
	"iter"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// runSuite runs the cases of one file and calls visit for each record in the file's order, after the
// record was stored.
func (s *session) runSuite(suite loadedSuite, resume *run.Resume, o *runOptions, visit func(*run.Record) error) (failed error) {
	line := s.newProgress()
	defer line.Clear()
	cases, total := suite.selectedCases(o.cases, &failed)
	for e, err := range resume.Run(s.ctx, suite.run.Runner, suite.suite, cases, total) {
		if err != nil {
			return err
		}
		line.Show(e)
		if e.Stage != run.Done {
			continue
		}
		line.Clear()
		if strings.HasSuffix(e.Record.Error, run.NoExpectedOutput) {
			o.unanswered++
		}
		if err := visit(e.Record); err != nil {
			return err
		}
	}
	return failed
}

// selectedCases yields the selected cases and returns their number. If a case cannot be
// read, it stops and sets failed.
func (l loadedSuite) selectedCases(patterns []string, failed *error) (iter.Seq[*rubric.Case], int) {
	if l.stream != nil {
		return l.stream.cases(l.skipOwn, failed), l.stream.countCases(l.skipOwn)
	}
	selects := run.MatchIDs(patterns...)
	cases := slices.DeleteFunc(slices.Clone(l.suite.Cases), func(c *rubric.Case) bool { return !selects(c) || l.skipOwn && c.Target != "" })
	return slices.Values(cases), len(cases)
}
