package judge_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/rubric-ls/rubric/core/judge"
)

func TestFingerprint(t *testing.T) {
	base := judge.Question{System: "s", User: "u", Schema: json.RawMessage(`{}`)}
	same := base
	same.Brief.Question = "told once more"
	if base.Fingerprint() != same.Fingerprint() {
		t.Error("the brief counts")
	}
	others := []judge.Question{
		{System: "su", Schema: base.Schema}, {System: "s", User: "u"}, {System: "", User: "su", Schema: base.Schema},
		{System: "s", User: "u", Schema: base.Schema, Attempt: 1}, {System: "s", User: "u", Schema: base.Schema, Sample: 1},
	}
	seen := map[string]bool{base.Fingerprint(): true}
	for _, q := range others {
		if f := q.Fingerprint(); seen[f] || len(f) != 64 {
			t.Errorf("%+v has the fingerprint %s of another", q, f)
		} else {
			seen[f] = true
		}
	}
}

func TestWhatIsRecordedReplays(t *testing.T) {
	var recording bytes.Buffer
	calls := 0
	live := judge.Func(func(_ context.Context, q judge.Question) (judge.Answer, error) {
		calls++
		if q.User == "hard" {
			return judge.Answer{}, judge.ErrUnreachable
		}
		return judge.Answer{Text: "answer to " + q.User, Model: "m", Usage: judge.Usage{Input: 3}}, nil
	})
	recorder := judge.Record(live, nil, &recording)
	for _, user := range []string{"one", "two\nlines", "hard"} {
		recorder.Ask(t.Context(), judge.Question{User: user})
	}
	if n := strings.Count(recording.String(), "\n"); n != 2 {
		t.Fatalf("%d lines, want 2: failures are not recorded\n%s", n, recording.String())
	}
	replay, err := judge.ReadReplay(strings.NewReader(recording.String() + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	a, err := replay.Ask(t.Context(), judge.Question{User: "two\nlines"})
	if err != nil || a.Text != "answer to two\nlines" || a.Model != "m" || a.Usage.Input != 3 || calls != 3 {
		t.Errorf("%+v %v, %d calls", a, err, calls)
	}
	_, err = replay.Ask(t.Context(), judge.Question{User: strings.Repeat("x", 90)})
	if !errors.Is(err, judge.ErrUnreachable) || !strings.Contains(err.Error(), "no recorded answer for the question") || strings.Contains(err.Error(), strings.Repeat("x", 61)) {
		t.Errorf("a question that was never recorded: %v", err)
	}
}

func TestBrokenTapes(t *testing.T) {
	for lines, want := range map[string]string{
		"{}":                            "judge replay: line 1 is not a recorded answer: it has no `fingerprint`",
		"{\"fingerprint\":\"a\"}\nnope": "judge replay: line 2 is not a recorded answer: it is not JSON",
	} {
		if _, err := judge.ReadReplay(strings.NewReader(lines)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", lines, err)
		}
	}
	for _, cut := range []string{"", `{"fingerprint":"b`, `{"fingerprint":"b","usage":{}`} { // as when a run is killed
		for _, lines := range []string{"{\"fingerprint\":\"a\"}\n" + cut, cut + "\n{\"fingerprint\":\"a\"}\n"} {
			if replay, err := judge.ReadReplay(strings.NewReader(lines)); err != nil || len(replay.Answers) != 1 {
				t.Errorf("%q: %v, %v", lines, replay, err)
			}
		}
	}
	if _, err := judge.ReadReplay(iotest.ErrReader(errors.New("disk"))); err == nil {
		t.Error("a read error is an error")
	}
}

// TestRecordToFullDisk: after a write error, the judge is not asked again.
func TestRecordToFullDisk(t *testing.T) {
	asked := 0
	full := judge.Record(judge.Func(func(context.Context, judge.Question) (judge.Answer, error) { asked++; return judge.Answer{}, nil }), nil, failing{})
	for range 3 {
		if _, err := full.Ask(t.Context(), judge.Question{}); !errors.Is(err, judge.ErrUnreachable) || err.Error() != "judge record: disk full" {
			t.Errorf("%v", err)
		}
	}
	if asked != 1 {
		t.Errorf("the judge was asked %d times", asked)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }
