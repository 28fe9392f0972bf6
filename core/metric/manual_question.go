package metric

import (
	"strconv"

	"github.com/rubric-ls/rubric/core/judge"
)

// JudgementForm is how a judge says what it is asked.
type JudgementForm string

// The forms of what can be typed.
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

// ManualQuestion is a question that a judge is asked about a turn, and what a sheet says to it.
type ManualQuestion struct {
	Metric   string
	Turn     int // from 1
	Question judge.Question
	Samples  int // how often it is asked
	Form     JudgementForm
	Items    []ManualItem // none for a text that is to be cut into sentences
}

// ManualItem is one thing that is judged, with the verdict on it.
type ManualItem struct {
	ManualVerdict
	Text string `json:"text"`
}

// Questions is what the sheet was asked so far, in order.
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

// recordQuestion keeps what is asked, its samples once.
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

// WithVerdict is the sheet with one verdict more, or another one.
func (m *ManualVerdicts) WithVerdict(other ManualVerdict) *ManualVerdicts {
	verdicts := []ManualVerdict{other}
	for _, v := range m.Verdicts {
		if v.Metric != other.Metric || v.Turn != other.Turn || v.ID != other.ID {
			verdicts = append(verdicts, v)
		}
	}
	return &ManualVerdicts{Verdicts: verdicts, Replies: m.Replies, LastResults: m.LastResults}
}

// Alternatives are the other verdicts that there could be, where so many samples are asked,
// the nearest first: of labels one that counts the other way.
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
		next.Label = groundedLabels[0]
		if score, _ := ScoreLabels([]string{v.Label}); score != nil && *score == 1 {
			next.Label = ungroundedLabels[0]
		}
		all = append(all, next)
	}
	return all
}

// ManualVerdictsOf is what judges have said for some results, as somebody could type it for
// these criteria. Where other samples were asked than they want, votes are not counted.
func ManualVerdictsOf(results []Result, criteria []Criterion) (all []ManualVerdict) {
	for _, r := range results {
		for i, turn := range r.Invocations {
			for _, s := range turn.Rubrics {
				if s.Score == nil {
					continue
				}
				v := ManualVerdict{Metric: r.Metric, Turn: i + 1, ID: s.ID}
				if formOf(r.Metric) == VoteForm && samplesFor(criteria, r.Metric) == len(turn.Replies) {
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

// samplesFor is how often a metric's judge is asked one thing.
func samplesFor(criteria []Criterion, metric string) int {
	for _, c := range criteria {
		if c.Metric == metric {
			return c.Judge.SampleCount()
		}
	}
	return 0
}

// countVotes is how many replies are for a label.
func countVotes(metric string, replies []Reply) (n int) {
	parse := ParseLabel
	if metric == UserSimulator {
		parse = ParseUserLabel
	}
	for _, reply := range replies {
		if !reply.isOffline() {
			if parse(reply.Text) == Valid {
				n++
			}
			continue
		}
		for _, s := range parseOfflineReply(reply.Text) {
			if s.Score != nil && *s.Score == 1 {
				n++
			}
		}
	}
	return n
}
