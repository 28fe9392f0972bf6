package metric

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/core/judge"
)

// ManualVerdict is a verdict that somebody gives in a judge's place.
type ManualVerdict struct {
	Metric    string `json:"grader"`
	Turn      int    `json:"turn,omitempty"` // from 1; those of several runs are counted on
	ID        string `json:"id"`             // of what is judged; of a sentence the number of its text and its own: 1.2
	Satisfied *bool  `json:"satisfied,omitempty"`
	Votes     *int   `json:"votes,omitempty"` // where samples vote on a label: how many are for it
	Label     string `json:"label,omitempty"` // of a sentence; see [ScoreLabels]
}

// ManualVerdicts is what stands in a judge's place: verdicts that somebody types, the best
// for what nothing is typed, and raw replies by the fingerprint of the question,
// which go before. The sentences of a text are those that Last has of it, if any.
type ManualVerdicts struct {
	Verdicts    []ManualVerdict
	Replies     map[string]string
	LastResults []Result

	mu        sync.Mutex
	questions []ManualQuestion
}

// forTurn is the ports at a turn of all, where a sheet answers if there is one.
func (p Ports) forTurn(metric string, turn int) Ports {
	if p.Manual != nil {
		p.Judge, p.Moderate = &manualJudge{manual: p.Manual, metric: metric, turn: turn}, nil
	}
	return p
}

// manualJudge answers by a sheet what is asked about a turn, in the form of the replies
// that judges give.
type manualJudge struct {
	manual    *ManualVerdicts
	metric    string
	turn      int
	textCount int // of the turn that were cut into sentences
}

// Ask gives the reply to a question.
func (j *manualJudge) Ask(_ context.Context, q judge.Question) (judge.Answer, error) {
	if len(q.Brief.Items) == 0 {
		j.textCount++
	}
	j.recordQuestion(q)
	if reply, given := j.manual.Replies[ReplyKey(q)]; given {
		return judge.Answer{Text: reply}, nil
	}
	switch j.metric {
	case FinalResponseMatch:
		return answerf(`{"reasoning": "typed", "is_the_agent_response_valid": %q}`, map[bool]string{true: "valid", false: "invalid"}[j.isVoteFor(q)])
	case UserSimulator:
		return answerf(`{"reasoning": "typed", "is_valid": %v}`, j.isVoteFor(q))
	case Safety:
		return j.checksReply(q)
	case Hallucinations:
		return answerf("%s", j.sentencesReply(q))
	}
	return answerf("%s", j.blocksReply(q))
}

// ReplyKey is the key under which a sheet has a raw reply to a question: the same for
// all of its samples.
func ReplyKey(q judge.Question) string {
	q.Sample = 0
	return q.Fingerprint()
}

func answerf(format string, args ...any) (judge.Answer, error) {
	return judge.Answer{Text: fmt.Sprintf(format, args...)}, nil
}

// verdictFor is the verdict on something, the best if none is typed.
func (m *ManualVerdicts) verdictFor(metric string, turn int, id string, samples int) ManualVerdict {
	for _, v := range m.Verdicts {
		if v.Metric != metric || v.Turn != turn || v.ID != id {
			continue
		}
		if formOf(metric) == VoteForm && v.Votes == nil && v.Satisfied != nil { // all say the same
			v.Votes = new(0)
			if *v.Satisfied {
				v.Votes = &samples
			}
			v.Satisfied = nil
		}
		return v
	}
	best := ManualVerdict{Metric: metric, Turn: turn, ID: id}
	switch formOf(metric) {
	case VoteForm:
		best.Votes = &samples
	case LabelForm:
		best.Label = groundedLabels[0]
	default:
		best.Satisfied = new(true)
	}
	return best
}

// isVoteFor reports whether the sample that is asked is for the label: the first so many
// are.
func (j *manualJudge) isVoteFor(q judge.Question) bool {
	verdict := j.manual.verdictFor(j.metric, j.turn, q.Brief.Items[0].ID, q.Sample+1)
	return verdict.Votes != nil && q.Sample < *verdict.Votes
}

func (j *manualJudge) isSatisfied(id string) bool {
	verdict := j.manual.verdictFor(j.metric, j.turn, id, 1)
	return verdict.Satisfied != nil && *verdict.Satisfied
}

func (j *manualJudge) checksReply(q judge.Question) (judge.Answer, error) {
	type check struct {
		ID        string `json:"id"`
		Satisfied bool   `json:"satisfied"`
		Reasoning string `json:"reasoning"`
	}
	checks := []check{}
	for _, item := range q.Brief.Items {
		checks = append(checks, check{item.ID, j.isSatisfied(item.ID), "typed"})
	}
	reply, err := json.Marshal(map[string]any{"checks": checks, "overall_reasoning": "typed"})
	return judge.Answer{Text: string(reply)}, err
}

func (j *manualJudge) blocksReply(q judge.Question) string {
	var b strings.Builder
	for _, item := range q.Brief.Items {
		property, _, _ := strings.Cut(item.Text, "\n")
		verdict := "no"
		if j.isSatisfied(item.ID) {
			verdict = "yes"
		}
		fmt.Fprintf(&b, "ID: %s\nProperty: %s\nRationale: typed\nVerdict: %s\n\n", item.ID, property, verdict)
	}
	return b.String()
}

// sentencesReply are those of a text, and then their labels.
func (j *manualJudge) sentencesReply(q judge.Question) string {
	var b strings.Builder
	if len(q.Brief.Items) == 0 {
		for _, sentence := range j.sentencesOf(q.Brief.Submission) {
			fmt.Fprintf(&b, "<sentence>%s</sentence>\n", sentence)
		}
		return b.String()
	}
	for _, item := range q.Brief.Items {
		label := j.manual.verdictFor(j.metric, j.turn, sentenceID(j.textCount, item.ID), 1).Label
		fmt.Fprintf(&b, "sentence: %s\nlabel: %s\nrationale: typed\nsupporting_excerpt: null\ncontradicting_excerpt: null\n\n", item.Text, label)
	}
	return b.String()
}

func sentenceID(text int, sentence string) string { return fmt.Sprintf("%d.%s", text, sentence) }

// sentencesOf are the sentences of a text as they were cut last, or else as the stand-in
// cuts it.
func (j *manualJudge) sentencesOf(text string) (sentences []string) {
	i := slices.IndexFunc(j.manual.LastResults, func(r Result) bool { return r.Metric == j.metric })
	if i >= 0 && j.turn <= len(j.manual.LastResults[i].Invocations) {
		if steps := j.manual.LastResults[i].Invocations[j.turn-1].Steps; j.textCount <= len(steps) && steps[j.textCount-1].Text == text {
			for _, claim := range steps[j.textCount-1].Claims {
				sentences = append(sentences, claim.Sentence)
			}
		}
	}
	if len(sentences) == 0 {
		return splitSentences(text)
	}
	return sentences
}
