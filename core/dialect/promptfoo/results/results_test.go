package results_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/promptfoo/results"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

func readTestdata(t *testing.T) ([]byte, []run.Record) {
	t.Helper()
	body, err := os.ReadFile("testdata/results.json")
	if err != nil {
		t.Fatal(err)
	}
	records, err := results.Read(body)
	if err != nil {
		t.Fatal(err)
	}
	return body, records
}

// TestRead reads what promptfoo wrote: three tests with two prompts.
func TestRead(t *testing.T) {
	body, records := readTestdata(t)
	if !results.Is(body[:run.FormatHeadSize]) || results.Is([]byte(`{"eval_id": "a"}`)) {
		t.Error("the head does not tell the format")
	}
	if len(records) != 6 {
		t.Fatalf("there are %d records", len(records))
	}
	first, second, third := records[0], records[1], records[2]
	if first.EvalID != "first" || first.Dataset != "ferry" || first.Target != "echo" || first.Prompt != "{{ q }}" || first.CandidateAnswer != "hello" {
		t.Errorf("the first is %+v", first)
	}
	if len(first.Graders) != 2 || len(first.Graders[1].Members) != 2 || first.Verdict != score.Pass || len(first.Gates) != 2 {
		t.Errorf("the graders of the first are %+v", first.Graders)
	}
	if second.EvalID != "test-2" || second.Verdict != score.Fail || *second.Threshold != 0.4 || len(second.Gates) != 0 {
		t.Errorf("the second is %+v", second)
	}
	if third.Error == "" || third.Verdict != score.Fail {
		t.Errorf("the third is %+v", third)
	}
}

// TestRescore scores what was read again: nothing changes.
func TestRescore(t *testing.T) {
	_, records := readTestdata(t)
	for _, rec := range records {
		if got := run.Rescore(rec, score.Promptfoo); got.Verdict != rec.Verdict || *got.Score != *rec.Score {
			t.Errorf("%s: %s %v, not %s %v", rec.EvalID, got.Verdict, *got.Score, rec.Verdict, *rec.Score)
		}
	}
}

// TestWrite writes what was read, and reads it again.
func TestWrite(t *testing.T) {
	_, records := readTestdata(t)
	var out bytes.Buffer
	if err := results.Write(&out, "ferry", records, []rubric.DerivedMetric{{Name: "half", Formula: "hit / 2"}}); err != nil {
		t.Fatal(err)
	}
	again, err := results.Read(out.Bytes())
	if err != nil || len(again) != len(records) {
		t.Fatalf("%d records: %v", len(again), err)
	}
	for i, rec := range again {
		want := records[i]
		if rec.Verdict != want.Verdict || *rec.Score != *want.Score || rec.Target != want.Target || rec.Prompt != want.Prompt ||
			rec.CandidateAnswer != want.CandidateAnswer && want.Error == "" || len(rec.Graders) != len(want.Graders) || len(rec.Gates) != len(want.Gates) {
			t.Errorf("%s: %+v, not %+v", want.EvalID, rec, want)
		}
	}
	for _, text := range []string{`"half": 1`, `"hit": 2`, `"version": 3`, `"testErrorCount": 1`, `"assertPassCount": 3`, `"assertFailCount": 3`} {
		if !bytes.Contains(out.Bytes(), []byte(text)) {
			t.Errorf("%s is missing in %s", text, out.String())
		}
	}
}

func TestReadNothing(t *testing.T) {
	for _, body := range []string{`{}`, `{"results": {"version": 2}}`, `{"results": {"version": 3}}`, `[`} {
		if records, err := results.Read([]byte(body)); err == nil {
			t.Errorf("%s gives %v", body, records)
		}
	}
}
