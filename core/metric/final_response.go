package metric

import (
	"context"
	"encoding/json"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/metric/rouge"
)

const (
	matchRule = "Decide whether an agent's answer is as right as a reference answer that can be trusted. It may be worded, " +
		"ordered and laid out in another way, and say more than was asked. It is wrong if it lacks or contradicts what the " +
		"reference says in answer to the user, or gives another number, name, date or unit."
	matchForm = "Reply with one JSON object and nothing around it:\n" +
		`{"reasoning": "one or two sentences", "is_the_agent_response_valid": "valid" or "invalid"}`
	matchID = "matches_the_reference"
)

var matchSchema = json.RawMessage(`{"type":"object","properties":{"reasoning":{"type":"string"},"is_the_agent_response_valid":{"enum":["valid","invalid"]}},"required":["reasoning","is_the_agent_response_valid"],"additionalProperties":false}`)

func (e evaluation) finalResponseQuestion(t turn) judge.Question {
	answer, _ := t.actual.Answer(e.criterion.WithIntermediate)
	reference, _ := t.expected.Answer(e.criterion.WithIntermediate)
	userText := t.expected.userText()
	return judge.Question{
		System: examinerRole + "\n\n" + matchRule + "\n\n" + matchForm,
		User:   grade.Sections("The user said", userText, "Reference answer", reference, "The agent's answer", orNone(answer)),
		Schema: matchSchema,
		Brief: judge.Brief{Question: userText, Reference: reference, Submission: answer,
			Items: []judge.Item{{ID: matchID, Text: reference}}},
	}
}

// measureFinalResponse lets samples vote on whether the answer is valid. A tie counts against it.
func measureFinalResponse(ctx context.Context, e evaluation, t turn) (InvocationResult, error) {
	return e.voteOnLabel(ctx, e.finalResponseQuestion(t), matchID, ParseLabel)
}

// voteOnLabel asks a question whose answer is a label and lets the samples vote.
func (e evaluation) voteOnLabel(ctx context.Context, q judge.Question, id string, parse func(string) Label) (InvocationResult, error) {
	q.Usable = func(reply string) bool { return parse(reply) != NotFound }
	r, err := e.voteOnRubrics(ctx, q, e.criterion.Judge.SampleCount(), func(reply *judge.Reply) []RubricScore {
		label := parse(reply.Text)
		if label == NotFound && !isOffline(*reply) {
			reply.Problems = append(reply.Problems, "it has no label `valid` or `invalid`")
		}
		return []RubricScore{{ID: id, Score: label.score(), Rationale: replyReasoning(reply.Text)}}
	})
	if r.Score = MeanScore(r.Rubrics); err == nil && r.Score == nil {
		r.Reason = "no reply of the judge has a label"
	}
	return r, err
}

func replyReasoning(reply string) string {
	value, _ := grade.ExtractJSON(reply)
	object, _ := value.(map[string]any)
	reason, _ := object["reasoning"].(string)
	return reason
}

// measureResponse returns the ROUGE-1 F score of the answer against the expected one. A missing
// answer has no words.
func measureResponse(_ context.Context, e evaluation, t turn) (InvocationResult, error) {
	words := rouge.UnicodeWords
	if e.isV2() {
		words = rouge.ASCIIWords
	}
	actual, _ := t.actual.Answer(false)
	expected, _ := t.expected.Answer(false)
	return InvocationResult{Score: new(rouge.Rouge1(words, actual, expected).F)}, nil
}
