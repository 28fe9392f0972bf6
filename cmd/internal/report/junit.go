package report

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/metric"
	corereport "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Time       string          `xml:"time,attr,omitempty"`
	Timestamp  string          `xml:"timestamp,attr,omitempty"`
	File       string          `xml:"file,attr,omitempty"`
	Properties []junitProperty `xml:"properties>property,omitempty"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Name      string      `xml:"name,attr"`
	Classname string      `xml:"classname,attr"`
	Time      string      `xml:"time,attr,omitempty"`
	Failure   *junitFault `xml:"failure"`
	Error     *junitFault `xml:"error"`
	Out       string      `xml:"system-out,omitempty"`
}

type junitFault struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// JUnit writes the report as JUnit XML. A case that does not pass is a failure. A case
// that could not be run or judged is an error. Characters that XML does not allow become
// U+FFFD.
func (r Report) JUnit(w io.Writer) error {
	suites := generic.Map(r.Suites, r.junitSuite)
	addChecks := func(name string, checks []Check) {
		if len(checks) > 0 {
			suites = append(suites, junitSuite{Name: name, Cases: generic.Map(checks, Check.junitCase)})
		}
	}
	addChecks("left out", leftOutChecks(r.LeftOut))
	addChecks("minimums", generic.Map(r.Minimums, minimumCheck))
	return writeJUnit(w, suites)
}

func (r Report) junitSuite(s Suite) junitSuite {
	out := junitSuite{Name: s.Name, File: s.Path}
	var seconds float64
	for _, rec := range s.Records {
		if len(out.Cases) == 0 {
			out.Timestamp = strings.TrimSuffix(rec.Timestamp, "Z")
			out.Properties = slices.DeleteFunc([]junitProperty{
				{"judge", rec.Judge}, {"target", rec.Asked()}, {"profile", string(rec.Profile)}, {"notice", r.Notice},
			}, func(p junitProperty) bool { return p.Value == "" })
		}
		if rec.DurationMS != nil {
			seconds += *rec.DurationMS
		}
		out.Cases = append(out.Cases, r.junitCase(s, rec))
	}
	for _, a := range run.AgreementOf(s.Records) {
		out.Properties = append(out.Properties, junitProperty{"agreement " + Printable(a.Label()),
			fmt.Sprintf("%.3f, flip rate %.3f", a.Agreement, a.FlipRate)})
	}
	for _, line := range s.Totals().UsageLines() {
		payer, usage, _ := strings.Cut(line, ": ")
		out.Properties = append(out.Properties, junitProperty{"spent by " + payer, usage})
	}
	out.Time = fmt.Sprintf("%.3f", seconds/1000)
	return out
}

func (r Report) junitCase(s Suite, rec run.Record) junitCase {
	rec = r.judge(rec).WithLabels()
	c := junitCase{Name: rec.EvalID, Classname: cmp.Or(rec.Dataset, s.Name)}
	if rec.OwnTarget {
		c.Name += " (" + rec.Target + ")"
	}
	if rec.DurationMS != nil {
		c.Time = fmt.Sprintf("%.3f", *rec.DurationMS/1000)
	}
	var out strings.Builder
	colorless := painter{}
	colorless.drawAnswerer(&out, rec)
	for _, g := range rec.Graders {
		colorless.drawGrader(&out, rec.Profile, g, "")
	}
	c.Out = out.String()
	failure := &junitFault{
		Message: fmt.Sprintf("%s, score %s: %s", rec.Verdict, corereport.ScoreOf(rec.Score), strings.Join(corereport.FailureReasons(rec), "; ")),
		Type:    string(rec.Verdict), Text: failureText(rec),
	}
	switch {
	case rec.Error != "":
		failure.Message, failure.Type = rec.Error, "error"
		c.Error = failure
	case rec.Verdict == score.Ungraded:
		failure.Message = "ungraded: " + strings.Join(corereport.FailureReasons(rec), "; ")
		c.Error = failure
	case rec.Verdict != score.Pass:
		c.Failure = failure
	}
	return c
}

// failureText returns the details of a case that did not pass.
func failureText(rec run.Record) string {
	lines := []string{fmt.Sprintf("verdict %s, score %s", rec.Verdict, corereport.ScoreOf(rec.Score))}
	if rec.Error != "" {
		lines = append(lines, "error: "+rec.Error)
	}
	reasons := corereport.FailureReasons(rec)
	lines = append(lines, generic.Map(reasons, func(reason string) string { return "why: " + reason })...)
	for _, gate := range rec.Gates {
		// Profile spec lists failed gates among the reasons.
		sentence := rec.LabelReason(gate.FailureMessage())
		if gate.Failed() && !slices.Contains(reasons, sentence) {
			lines = append(lines, "gate: "+sentence)
		}
	}
	lines = append(lines, generic.Map(rec.Misses, func(miss string) string { return "miss: " + miss })...)
	return strings.Join(lines, "\n")
}

// EvalsetResult is the name of the format of ADK result files.
const EvalsetResult = "evalset-result"

// ErrNotMeasured reports results that ADK's format cannot hold: those of graders, or of
// several evalsets.
var ErrNotMeasured = errors.New("the evalset-result format needs exactly one ADK evalset")

// EvalsetResult writes the report as an ADK .evalset_result.json. ADK's format has no
// reason for metrics that were not evaluated. A case without a conversation has no turns.
func (r Report) EvalsetResult(w io.Writer) error {
	if len(r.Suites) != 1 || r.Suites[0].Conversations == nil {
		return ErrNotMeasured
	}
	s := r.Suites[0]
	out := adk.Run{SetID: s.Name, CreatedAt: startTime(s.Records), Criteria: s.Criteria}
	out.ID = strings.ReplaceAll(fmt.Sprintf("%s_%d", s.Name, int64(out.CreatedAt)), "/", "_")
	out.Cases = s.measuredCases
	return out.Write(w)
}

// measuredCases yields each record with its conversation. An interrupted run has
// conversations without records.
func (s Suite) measuredCases(yield func(adk.MeasuredCase) bool) {
	left := s.Records
	for id, conversation := range s.Conversations {
		switch {
		case len(left) == 0:
			return
		case left[0].EvalID != id:
			continue
		case !yield(adk.MeasuredCase{ID: id, Conversation: conversation, Result: caseResult(left[0])}):
			return
		}
		left = left[1:]
	}
}

// caseResult returns the metric results of a case with ADK's status, which leaves out what was not evaluated. A case
// that is ungraded is not evaluated.
func caseResult(rec run.Record) metric.CaseResult {
	var c metric.CaseResult
	var statuses []metric.Status
	for _, g := range rec.Graders {
		if g.Metric != nil {
			c.Metrics = append(c.Metrics, *g.Metric)
			statuses = append(statuses, g.Metric.Status)
		}
	}
	if c.Status, c.Recorded = metric.CaseStatus(statuses), rec.Recorded; rec.Verdict == score.Ungraded {
		c.Status = metric.NotEvaluated
	}
	return c
}

// startTime returns the time of the first record in seconds since 1970, or 0 if none has
// a time.
func startTime(records []run.Record) float64 {
	for _, rec := range records {
		if at, err := time.Parse(time.RFC3339, rec.Timestamp); err == nil {
			return float64(at.UnixMilli()) / 1000
		}
	}
	return 0
}
