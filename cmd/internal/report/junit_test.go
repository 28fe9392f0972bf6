package report_test

import (
	"bytes"
	"encoding/xml"
	"reflect"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// junit is the part of a JUnit file that build servers show.
type junit struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Suites   []struct {
		Name       string `xml:"name,attr"`
		Tests      int    `xml:"tests,attr"`
		Failures   int    `xml:"failures,attr"`
		Errors     int    `xml:"errors,attr"`
		Properties []struct {
			Name  string `xml:"name,attr"`
			Value string `xml:"value,attr"`
		} `xml:"properties>property"`
		Cases []struct {
			Name      string      `xml:"name,attr"`
			Classname string      `xml:"classname,attr"`
			Time      string      `xml:"time,attr"`
			Failure   *junitFault `xml:"failure"`
			Error     *junitFault `xml:"error"`
			Out       string      `xml:"system-out"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

type junitFault struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// TestJUnit: a build server sees which case failed and why, and which could not
// be judged, and its sums are those of the cases.
func TestJUnit(t *testing.T) {
	var out bytes.Buffer
	if err := sample().JUnit(&out); err != nil {
		t.Fatal(err)
	}
	var got junit
	if err := xml.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	outcomes := map[string]string{}
	failures, errors := 0, 0
	for _, s := range got.Suites {
		for _, c := range s.Cases {
			switch {
			case c.Failure != nil && c.Error == nil:
				failures++
				outcomes[c.Name] = "failure " + c.Failure.Type
			case c.Error != nil && c.Failure == nil:
				errors++
				outcomes[c.Name] = "error " + c.Error.Type
			default:
				outcomes[c.Name] = "pass"
			}
		}
	}
	want := map[string]string{
		"refund-window": "pass", "summarise-review": "failure fail", "挨拶-japanese": "error ungraded", "order-status": "pass",
		"opening-hours": "error error", "hello": "failure borderline",
	}
	if !reflect.DeepEqual(outcomes, want) || got.Tests != 6 || got.Failures != failures || got.Errors != errors {
		t.Errorf("%v; %d tests, %d failures, %d errors", outcomes, got.Tests, got.Failures, got.Errors)
	}
	text := got.Suites[0].Cases[1].Failure.Text
	for _, part := range []string{"verdict fail, score 0.733", "6 of 10 is below the required 7", "miss: [accuracy]"} {
		if strings.Count(text, part) != 1 {
			t.Errorf("%q is not there once in %s", part, text)
		}
	}
}

// TestJUnitGates: the profile that goes by the score alone gives no reasons, and
// still a failed gate is told.
func TestJUnitGates(t *testing.T) {
	g := rubricGrader("r", []run.CriterionRecord{{ID: "a", Text: "A", Weight: 1, Required: true}}, no("a", ""))
	rec := run.Rescore(run.Record{EvalID: "x", Graders: []run.GraderRecord{g}}, score.AgentV)
	var out bytes.Buffer
	if err := (report.Report{Suites: []report.Suite{{Records: []run.Record{rec}}}}).JUnit(&out); err != nil {
		t.Fatal(err)
	}
	var got junit
	if err := xml.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	want := "verdict fail, score 0\nwhy: score 0 is below 0.6\ngate: `a` of `r`: required and not satisfied\nmiss: [a] A: "
	if f := got.Suites[0].Cases[0].Failure; f == nil || f.Text != want {
		t.Errorf("the failure is %+v", f)
	}
}
