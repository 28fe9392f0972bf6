package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// runConversation asks the target turn by turn, each time with the conversation so far, and
// grades each answer. Then it grades the transcript.
func (r Runner) runConversation(ctx context.Context, rec *Record, c *rubric.Case, onGraded func(*GraderRecord)) {
	talk := c.Conversation
	if talk.Unsupported != "" {
		rec.fail(ctx, errors.New("not run: "+talk.Unsupported))
		return
	}
	rec.Aggregation = cmp.Or(talk.Aggregation, "mean")
	history := slices.Clone(c.Input)
	var sub grade.Submission
	failed := "" // the turn after which no other is asked
	for i, g := range c.Graders {
		var out GraderRecord
		switch {
		case g.Kind == rubric.Transcript:
			whole := grade.Submission{Answer: transcript(history), Origin: sub.Origin}
			if !r.Profile.IsReference() { // which gives a conversation's graders only the text
				whole.Messages, whole.Trace = history, rec.TraceSummary
			}
			out = newGraderRecord(grade.Grade(ctx, r.ports(), c, g, whole))
		case failed != "":
			why := "not asked, because `" + failed + "` failed"
			out = GraderRecord{Name: g.Name, Type: g.Kind, Weight: g.Weight, Result: score.PlainResult(0, nil, []string{why}, "")}
		default:
			history = append(history, talk.Turns[i].Input...)
			turn := turnCase(c, i, history)
			var err error
			sub, err = r.submission(ctx, turn, nil)
			rec.SharedAnswer = sub.Shared // and so are the turns before
			rec.AnsweredBy = cmp.Or(sub.AnsweredBy, rec.AnsweredBy)
			if rec.addTrace(sub.Trace); err != nil {
				rec.fail(ctx, fmt.Errorf("the target gave no answer in `%s`: %w", g.Name, err))
				return
			}
			rec.CandidateAnswer = sub.Answer
			history = append(history, rubric.Message{Role: "assistant", Content: sub.Answer})
			if r.Profile.IsReference() {
				sub.Trace = nil // the reference knows neither time nor cost of a turn
			}
			out = newGraderRecord(grade.Grade(ctx, r.ports(), turn, g, sub))
			out.Turn = &TurnRecord{Question: rubric.ConversationText(talk.Turns[i].Input), Answer: sub.Answer}
			if talk.StopAtFailure && out.Verdict != score.Pass && out.Verdict != score.Ungraded {
				failed = g.Name
			}
		}
		rec.Graders = append(rec.Graders, out)
		onGraded(&out)
	}
	rec.combine()
	if ctx.Err() != nil {
		rec.fail(ctx, ctx.Err())
	}
}

// turnCase returns turn i of a conversation as a case that asks the messages so far. Its id is the
// case's and the turn's, as in the reference.
func turnCase(c *rubric.Case, i int, history []rubric.Message) *rubric.Case {
	turn := *c
	turn.ID = TurnID(c.ID, i)
	turn.Input = lastTurns(history, c.Conversation.Window)
	turn.Question = rubric.ConversationText(turn.Input)
	turn.Expected, turn.ReferenceAnswer = c.Conversation.Turns[i].Expected, c.Conversation.Turns[i].ReferenceAnswer
	turn.Graders, turn.Conversation = c.Graders[i:i+1], nil
	return &turn
}

// TurnID returns the id under which the target is asked the turn i of a case.
func TurnID(id string, i int) string { return fmt.Sprintf("%s/turn-%d", id, i+1) }

// lastTurns returns the system messages, and two others for each of the last turns; 0 means all.
func lastTurns(history []rubric.Message, window int) []rubric.Message {
	if window == 0 {
		return slices.Clone(history)
	}
	isSystem := func(m rubric.Message) bool { return m.Role == "system" }
	others := slices.DeleteFunc(slices.Clone(history), isSystem)
	system := slices.DeleteFunc(slices.Clone(history), func(m rubric.Message) bool { return !isSystem(m) })
	return append(system, others[max(0, len(others)-2*window):]...)
}

// transcript returns a conversation as the text that its own graders see, in the reference's form.
func transcript(history []rubric.Message) string {
	return strings.Join(generic.Map(history, func(m rubric.Message) string { return m.Role + ": " + m.Text() }), "\n\n")
}

// weighTurns applies the aggregation of a conversation. Turns that nothing grades count in the
// reference alone. Of the lowest or highest score, the other parts keep their findings and gates.
func (r *Record) weighTurns(parts []score.WeightedResult) []score.WeightedResult {
	for i, g := range r.Graders {
		if g.Type == rubric.Turn && g.Turn != nil && len(g.Members) == 0 && !r.Profile.IsReference() {
			parts[i].Weight = 0
		}
	}
	if r.Aggregation != "min" && r.Aggregation != "max" {
		return parts
	}
	chosen, best := -1, 0.0
	for i, p := range parts {
		var value float64 // of an ungraded turn at least 0
		if p.Result.Score != nil {
			value = *p.Result.Score
		}
		if p.Weight > 0 && (chosen < 0 || (value < best) == (r.Aggregation == "min") && value != best) {
			chosen, best = i, value
		}
	}
	for i := range parts {
		if i != chosen {
			parts[i].Weight = 0
		}
	}
	return parts
}

func (r *Record) addTrace(t *grade.Trace) {
	if t == nil {
		return
	}
	if r.TraceSummary == nil {
		r.TraceSummary = &grade.Trace{}
	}
	sum := r.TraceSummary
	sum.LLMCalls, sum.EventCount, sum.ErrorCount = generic.AddKnown(sum.LLMCalls, t.LLMCalls), generic.AddKnown(sum.EventCount, t.EventCount), generic.AddKnown(sum.ErrorCount, t.ErrorCount)
	sum.CostUSD, sum.DurationMS = generic.AddKnown(sum.CostUSD, t.CostUSD), generic.AddKnown(sum.DurationMS, t.DurationMS)
	if t.TokenUsage != nil {
		if sum.TokenUsage == nil {
			sum.TokenUsage = &grade.Tokens{}
		}
		sum.TokenUsage.Input += t.TokenUsage.Input
		sum.TokenUsage.Output += t.TokenUsage.Output
		sum.TokenUsage.Cached += t.TokenUsage.Cached
	}
}
