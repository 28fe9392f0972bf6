package run

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// NoExpectedOutput ends the error of [SelfTarget] for a case without a reference answer.
const NoExpectedOutput = "has no expected output to answer with"

// SelfTarget answers each case with its own reference answer. It tests the rubric, not a system.
// A case without a reference answer is an error.
func SelfTarget(_ context.Context, c *rubric.Case) (grade.Submission, error) {
	if c.ReferenceAnswer == "" {
		return grade.Submission{}, fmt.Errorf("the case `%s` %s", c.ID, NoExpectedOutput)
	}
	return grade.Submission{Answer: c.ReferenceAnswer, Messages: c.Expected, Origin: grade.FromFile}, nil
}

// MockTarget returns a target that always gives the same answer.
func MockTarget(response string) Target {
	return func(context.Context, *rubric.Case) (grade.Submission, error) {
		return grade.Submission{Answer: response}, nil
	}
}

// withFallback returns a target that asks another one, called name, if it fails.
func withFallback(target, other Target, name string) Target {
	return func(ctx context.Context, c *rubric.Case) (grade.Submission, error) {
		sub, err := target(ctx, c)
		if err == nil || ctx.Err() != nil {
			return sub, err
		}
		sub, otherErr := other(ctx, c)
		if otherErr != nil {
			return sub, fmt.Errorf("%w; its fallback `%s`: %w", err, name, otherErr)
		}
		sub.AnsweredBy = name
		return sub, nil
	}
}

// Timed returns a target that also measures how long an answer takes if a grader reads that, unless
// the target itself says it or gives an answer from elsewhere. Other records are then the same in
// each run. Without a clock it is the target.
func Timed(target Target, clock func() time.Time) Target {
	if clock == nil {
		return target
	}
	return func(ctx context.Context, c *rubric.Case) (grade.Submission, error) {
		if !slices.ContainsFunc(c.Graders, grade.ReadsDuration) {
			return target(ctx, c)
		}
		start := clock()
		sub, err := target(ctx, c)
		elapsed := milliseconds(clock().Sub(start))
		if err != nil || sub.Origin != grade.FromTarget || sub.Trace != nil && sub.Trace.DurationMS != nil {
			return sub, err
		}
		trace := grade.Trace{}
		if sub.Trace != nil {
			trace = *sub.Trace
		}
		trace.DurationMS = &elapsed
		sub.Trace = &trace
		return sub, nil
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// Recording is a target that gives recorded answers, by case id.
type Recording map[string]RecordedAnswer

// RecordedAnswer is an answer and, if a result file holds it, the case that it answers.
type RecordedAnswer struct {
	grade.Submission
	CaseFingerprint string  `json:"case_fingerprint,omitempty"` // "" if unknown
	Question        string  `json:"question,omitempty"`
	isTurn          bool    // the question of the case has the turns before, too
	of              Variant // Target and Prompt that gave it; "" if unknown
	trials          []Trial // of the case, if it ran several times
	best            string  // the answer of the best one, or its last one in a conversation
}

// Respond returns the recorded answer of a case, or an error if there is none or if it is stale.
func (r Recording) Respond(ctx context.Context, c *rubric.Case) (grade.Submission, error) {
	a, ok := r[c.ID]
	if !ok {
		return grade.Submission{}, fmt.Errorf("no answer is recorded for the case `%s`", c.ID)
	}
	if len(a.trials) > 0 { // the answers of the record are those of the best one
		trial, isTrial := judge.TrialOf(ctx)
		isOther := func(t Trial) bool { return t.CandidateAnswer != a.best }
		switch {
		case trial < 0 || !isTrial && !slices.ContainsFunc(a.trials, isOther):
		case !isTrial:
			return grade.Submission{}, fmt.Errorf("the recorded answers are those of %d trials; run the case with --trials %[1]d", len(a.trials))
		case trial >= len(a.trials) || a.trials[trial].CandidateAnswer == "" && a.trials[trial].Error != "" || a.isTurn && isOther(a.trials[trial]):
			return grade.Submission{}, fmt.Errorf("no answer is recorded for the trial %d of the case `%s`", trial+1, c.ID)
		case isOther(a.trials[trial]):
			a.Submission = grade.Submission{Answer: a.trials[trial].CandidateAnswer}
		}
	}
	return a.To(c)
}

// To returns the answer to c. It returns an error if the question of c has changed since. Other
// changes of the case, such as of its graders, do not matter.
func (a RecordedAnswer) To(c *rubric.Case) (grade.Submission, error) {
	asked, asks := strings.TrimSpace(a.Question), strings.TrimSpace(c.Question)
	isSame := asked == asks || a.isTurn && strings.HasSuffix(asks, asked)
	isRecorded := a.CaseFingerprint != "" || asked != "" // another runner records no fingerprint
	if isRecorded && !isSame && a.CaseFingerprint != c.Fingerprint() {
		return grade.Submission{}, fmt.Errorf("the recorded answer is stale: it is to `%s`, which is no longer the question; record it again", excerpt.Shorten(a.Question, 60))
	}
	sub := a.Submission
	if sub.Origin == grade.FromTarget {
		sub.Origin = grade.FromRecording
	}
	return sub, nil
}

// ReadRecording reads answers from JSON lines.
//
// A line names its case in `eval_id`, `test_id` or `id`. The answer is in `candidate_answer`, `answer` or
// `output`, as a string, as messages or as any other JSON. `output_messages`, `tool_calls` and `trace_summary` (or
// the latter's keys by themselves) are optional. If an id is repeated, its last answer counts.
//
// Result files have this form too. Their lines for cases without an answer are skipped, and
// durations are ignored because they include the graders' time. Their answers are stale if the
// question has changed since.
func ReadRecording(body []byte) (Recording, error) {
	recording, n := Recording{}, 0
	for line := range bytes.Lines(body) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if err := recording.addLine(line); err != nil {
			return nil, fmt.Errorf("recorded answers: line %d: %w", n, err)
		}
	}
	return recording, nil
}

// recordedRow is one line of a recording. The embedded trace receives the keys of
// `trace_summary` if they stand by themselves.
type recordedRow struct {
	EvalID    string          `json:"eval_id"`
	TestID    string          `json:"test_id"`
	ID        string          `json:"id"`
	Candidate json.RawMessage `json:"candidate_answer"`
	Answer    json.RawMessage `json:"answer"`
	Output    json.RawMessage `json:"output"`

	// The others are set in result files. Graders is empty if there was no answer to grade.
	Graders         []json.RawMessage `json:"evaluator_results"`
	CaseFingerprint json.RawMessage   `json:"case_fingerprint"`
	Question        json.RawMessage   `json:"question"`
	Target          json.RawMessage   `json:"target"`
	Trials          json.RawMessage   `json:"trials"`
	Prompt          json.RawMessage   `json:"prompt"`

	Messages  []rubric.Message `json:"output_messages"`
	ToolCalls []grade.ToolCall `json:"tool_calls"`
	Summary   *grade.Trace     `json:"trace_summary"`
	grade.Trace
}

func (r Recording) addLine(line []byte) error {
	var row recordedRow
	if err := json.Unmarshal(line, &row); err != nil {
		return score.ResultError(err)
	}
	id := cmp.Or(row.EvalID, row.TestID, row.ID)
	if id == "" {
		return errors.New("no `eval_id`, `test_id` or `id`")
	}
	if row.Graders != nil && len(row.Graders) == 0 {
		return nil
	}
	for _, answer := range []json.RawMessage{row.Candidate, row.Answer, row.Output} {
		if answer == nil || string(answer) == "null" {
			continue
		}
		sub := grade.Submission{Messages: row.Messages, ToolCalls: row.ToolCalls, Trace: row.Summary}
		if text, messages := ReadAnswerMessages(answer); len(messages) > 0 {
			sub.Answer, sub.Messages = text, messages
		} else if json.Unmarshal(answer, &sub.Answer) != nil {
			sub.Answer = string(answer)
		}
		if sub.Trace == nil && row.Graders == nil && !reflect.ValueOf(row.Trace).IsZero() {
			sub.Trace = &row.Trace
		}
		recorded := RecordedAnswer{Submission: sub}
		if row.Graders != nil {
			_ = json.Unmarshal(row.CaseFingerprint, &recorded.CaseFingerprint) // "" if there is none
			_ = json.Unmarshal(row.Question, &recorded.Question)
			_ = json.Unmarshal(row.Target, &recorded.of.Target)
			_ = json.Unmarshal(row.Prompt, &recorded.of.Prompt)
			var trials Trials
			_ = json.Unmarshal(row.Trials, &trials)
			recorded.trials, recorded.best = trials.Runs, recorded.Answer
		}
		if before, known := r[id]; known && before.of != recorded.of && before.of.Target != "" && recorded.of.Target != "" {
			return fmt.Errorf("`%s` has answers of two targets or prompts, `%s` and `%s`; a recording has those of one", id, before.of, recorded.of)
		}
		r[id] = recorded
		r.addTurns(id, recorded, row.Graders)
		return nil
	}
	return fmt.Errorf("`%s` has no `candidate_answer`, `answer` or `output`", id)
}

// ReadAnswerMessages returns the messages that an answer consists of, with the text of the last one of
// the assistant. It returns none if the answer is anything else.
func ReadAnswerMessages(answer json.RawMessage) (text string, messages []rubric.Message) {
	isMessage := func(m rubric.Message) bool { return m.Role != "" && (m.Content != nil || m.ToolCalls != nil) }
	if json.Unmarshal(answer, &messages) != nil || slices.ContainsFunc(messages, func(m rubric.Message) bool { return !isMessage(m) }) {
		return "", nil
	}
	return LastAnswer(messages), messages
}

// LastAnswer returns the text of the assistant's last message with a content. Content that is no text is
// its text blocks or, as in the reference, JSON.
func LastAnswer(messages []rubric.Message) string {
	for _, m := range slices.Backward(messages) {
		if m.Role != "assistant" || m.Content == nil {
			continue
		}
		if text, isText := m.Content.(string); isText {
			return text
		}
		raw, _ := json.Marshal(m.Content) // decoded JSON encodes
		var blocks []struct{ Type, Text string }
		if json.Unmarshal(raw, &blocks) != nil || len(blocks) == 0 {
			return string(raw)
		}
		var texts []string
		for _, block := range blocks {
			switch block.Type {
			case "":
				return string(raw)
			case "text":
				texts = append(texts, block.Text)
			}
		}
		return strings.Join(texts, "\n")
	}
	return ""
}

func (r Recording) addTurns(id string, whole RecordedAnswer, graders []json.RawMessage) {
	for i, raw := range graders {
		var g struct{ Turn *TurnRecord }
		if json.Unmarshal(raw, &g) == nil && g.Turn != nil {
			whole.Submission, whole.Question, whole.isTurn = grade.Submission{Answer: g.Turn.Answer}, g.Turn.Question, true
			r[TurnID(id, i)] = whole
		}
	}
}
