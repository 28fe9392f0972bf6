package metric

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/core/judge"
)

// ManualVerdict is a verdict that a person enters in place of a judge.
type ManualVerdict struct {
	Metric    string `json:"grader"`
	Turn      int    `json:"turn,omitempty"` // from 1; turns of later runs count on
	ID        string `json:"id"`             // of the judged item; for a sentence the numbers of its text and its own: 1.2
	Satisfied *bool  `json:"satisfied,omitempty"`
	Votes     *int   `json:"votes,omitempty"` // for a label that samples vote on: the votes in favour
	Label     string `json:"label,omitempty"` // of a sentence; see [ScoreLabels]
}

// ManualVerdicts replace a judge. Items without a verdict get the best one. Raw replies, by
// [ReplyKey], take precedence. A text has the sentences that LastResults has for it, if any.
type ManualVerdicts struct {
	Verdicts    []ManualVerdict
	Replies     map[string]string
	LastResults []Result

	mu        sync.Mutex
	questions []ManualQuestion
}

// forTurn returns the ports for a turn, counted over all runs. Manual verdicts replace the judge.
func (p Ports) forTurn(metric string, turn int) Ports {
	if p.Manual != nil {
		p.Judge, p.Moderate = &manualJudge{manual: p.Manual, metric: metric, turn: turn}, nil
	}
	return p
}

// A manualJudge answers questions about a turn from manual verdicts, in the reply format of a
// judge.
type manualJudge struct {
	manual    *ManualVerdicts
	metric    string
	turn      int
	textCount int // texts of the turn that were split into sentences so far
}

// Ask returns the reply to a question.
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

// ReplyKey returns the key of a raw reply to a question, the same for all its samples.
func ReplyKey(q judge.Question) string {
	q.Sample = 0
	return q.Fingerprint()
}

func answerf(format string, args ...any) (judge.Answer, error) {
	return judge.Answer{Text: fmt.Sprintf(format, args...)}, nil
}

// verdictFor returns the verdict on an item, the best one if none was entered.
func (m *ManualVerdicts) verdictFor(metric string, turn int, id string, samples int) ManualVerdict {
	for _, v := range m.Verdicts {
		if v.Metric != metric || v.Turn != turn || v.ID != id {
			continue
		}
		if formOf(metric) == VoteForm && v.Votes == nil && v.Satisfied != nil { // all samples agree
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

// isVoteFor reports whether this sample votes for the label. The first samples do, as many as there
// are votes.
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

// sentencesReply returns the sentences of a text, or the labels of sentences.
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

// sentencesOf returns the sentences of a text as last split by a judge, or else by
// [splitSentences].
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

// JudgementForm is the form of a judgement.
type JudgementForm string

// The forms of judgements that a person can enter.
const (
	VerdictForm JudgementForm = "verdict" // yes or no on each item
	VoteForm    JudgementForm = "votes"   // a label that samples vote on
	LabelForm   JudgementForm = "label"   // a label for each sentence
)

func formOf(metric string) JudgementForm {
	switch metric {
	case FinalResponseMatch, UserSimulator:
		return VoteForm
	case Hallucinations:
		return LabelForm
	}
	return VerdictForm
}

// ManualQuestion is a question about a turn, with the manual verdicts on it.
type ManualQuestion struct {
	Metric   string
	Turn     int // from 1
	Question judge.Question
	Samples  int // how often it is asked
	Form     JudgementForm
	Items    []ManualItem // empty for a text that is split into sentences
}

// ManualItem is one judged item with its verdict.
type ManualItem struct {
	ManualVerdict
	Text string `json:"text"`
}

// Questions returns the questions so far, in order, with the current verdicts.
func (m *ManualVerdicts) Questions() []ManualQuestion {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, a := range m.questions {
		for k, item := range a.Items {
			a.Items[k].ManualVerdict = m.verdictFor(a.Metric, a.Turn, item.ID, m.questions[i].Samples)
		}
	}
	return m.questions
}

// recordQuestion records a question, once for all its samples.
func (j *manualJudge) recordQuestion(q judge.Question) {
	j.manual.mu.Lock()
	defer j.manual.mu.Unlock()
	if last := len(j.manual.questions) - 1; q.Sample > 0 && last >= 0 {
		j.manual.questions[last].Samples++
		return
	}
	a := ManualQuestion{Metric: j.metric, Turn: j.turn, Question: q, Samples: 1, Form: formOf(j.metric)}
	for _, item := range q.Brief.Items {
		id := item.ID
		if a.Form == LabelForm {
			id = sentenceID(j.textCount, id)
		}
		a.Items = append(a.Items, ManualItem{ManualVerdict{ID: id}, item.Text})
	}
	j.manual.questions = append(j.manual.questions, a)
}

// WithVerdict returns the verdicts with other added or replaced.
func (m *ManualVerdicts) WithVerdict(other ManualVerdict) *ManualVerdicts {
	verdicts := []ManualVerdict{other}
	for _, v := range m.Verdicts {
		if v.Metric != other.Metric || v.Turn != other.Turn || v.ID != other.ID {
			verdicts = append(verdicts, v)
		}
	}
	return &ManualVerdicts{Verdicts: verdicts, Replies: m.Replies, LastResults: m.LastResults}
}

// Alternatives returns the other possible verdicts for a question with so many samples, the nearest
// first. For labels it is one that counts the other way.
func (v ManualVerdict) Alternatives(samples int) (all []ManualVerdict) {
	switch {
	case v.Votes != nil:
		for away := 1; away <= samples; away++ {
			for _, votes := range []int{*v.Votes - away, *v.Votes + away} {
				if 0 <= votes && votes <= samples {
					next := v
					next.Votes = &votes
					all = append(all, next)
				}
			}
		}
	case v.Satisfied != nil:
		next := v
		next.Satisfied = new(!*v.Satisfied)
		all = append(all, next)
	default:
		next := v
		score, _ := ScoreLabels([]string{v.Label})
		next.Label = LabelFor(score == nil || *score != 1)
		all = append(all, next)
	}
	return all
}

// LabelFor returns the label of a sentence that the evidence supports or not.
func LabelFor(supported bool) string {
	if supported {
		return groundedLabels[0]
	}
	return ungroundedLabels[0]
}

// ManualVerdictsOf returns the judges' verdicts in results as manual verdicts for criteria. Where
// the number of samples differs, it gives the verdict instead of the votes.
func ManualVerdictsOf(results []Result, criteria []Criterion) (all []ManualVerdict) {
	for _, r := range results {
		for i, turn := range r.Invocations {
			for _, s := range turn.Rubrics {
				if s.Score == nil {
					continue
				}
				v := ManualVerdict{Metric: r.Metric, Turn: i + 1, ID: s.ID}
				asked := slices.IndexFunc(criteria, func(c Criterion) bool { return c.Metric == r.Metric })
				if formOf(r.Metric) == VoteForm && asked >= 0 && criteria[asked].Judge.SampleCount() == len(turn.Replies) {
					v.Votes = new(countVotes(r.Metric, turn.Replies))
				} else {
					v.Satisfied = new(*s.Score == 1)
				}
				all = append(all, v)
			}
			for n, step := range turn.Steps {
				for k, claim := range step.Claims {
					all = append(all, ManualVerdict{Metric: r.Metric, Turn: i + 1, ID: sentenceID(n+1, strconv.Itoa(k+1)), Label: claim.Label})
				}
			}
		}
	}
	return all
}

func countVotes(metric string, replies []judge.Reply) (n int) {
	parse := ParseLabel
	if metric == UserSimulator {
		parse = userLabel
	}
	for _, reply := range replies {
		if parse(reply.Text) == Valid {
			n++
		}
	}
	return n
}
