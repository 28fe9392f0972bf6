package metric

import (
	"strconv"

	"github.com/rubric-ls/rubric/core/judge"
)

// Form is how a judge says what it is asked.
type Form string

// The forms of what can be typed.
const (
	Verdicts Form = "verdict" // yes or no on each item
	Votes    Form = "votes"   // a label that samples vote on
	Labels   Form = "label"   // a label for each sentence
)

func formOf(metric string) Form {
	switch metric {
	case FinalResponseMatch, UserSimulator:
		return Votes
	case Hallucinations:
		return Labels
	}
	return Verdicts
}

// Asked is a question that a judge is asked about a turn, and what a sheet says to it.
type Asked struct {
	Metric   string
	Turn     int // from 1
	Question judge.Question
	Samples  int // how often it is asked
	Form     Form
	Items    []AskedItem // none for a text that is to be cut into sentences
}

// AskedItem is one thing that is judged, with the verdict on it.
type AskedItem struct {
	Ruling
	Text string `json:"text"`
}

// Asked is what the sheet was asked so far, in order.
func (s *Sheet) Asked() []Asked {
	s.lock.Lock()
	defer s.lock.Unlock()
	for i, a := range s.asked {
		for k, item := range a.Items {
			a.Items[k].Ruling = s.of(a.Metric, a.Turn, item.ID, s.asked[i].Samples)
		}
	}
	return s.asked
}

// note keeps what is asked, its samples once.
func (t *typist) note(q judge.Question) {
	t.sheet.lock.Lock()
	defer t.sheet.lock.Unlock()
	if last := len(t.sheet.asked) - 1; q.Sample > 0 && last >= 0 {
		t.sheet.asked[last].Samples++
		return
	}
	a := Asked{Metric: t.metric, Turn: t.turn, Question: q, Samples: 1, Form: formOf(t.metric)}
	for _, item := range q.Brief.Items {
		id := item.ID
		if a.Form == Labels {
			id = sentenceID(t.texts, id)
		}
		a.Items = append(a.Items, AskedItem{Ruling{ID: id}, item.Text})
	}
	t.sheet.asked = append(t.sheet.asked, a)
}

// With is the sheet with one verdict more, or another one.
func (s *Sheet) With(other Ruling) *Sheet {
	typed := []Ruling{other}
	for _, t := range s.Rulings {
		if t.Metric != other.Metric || t.Turn != other.Turn || t.ID != other.ID {
			typed = append(typed, t)
		}
	}
	return &Sheet{Rulings: typed, Replies: s.Replies, Last: s.Last}
}

// Others are the other verdicts that there could be, where so many samples are asked,
// the nearest first: of labels one that counts the other way.
func (t Ruling) Others(samples int) (all []Ruling) {
	switch {
	case t.Votes != nil:
		for away := 1; away <= samples; away++ {
			for _, votes := range []int{*t.Votes - away, *t.Votes + away} {
				if 0 <= votes && votes <= samples {
					next := t
					next.Votes = &votes
					all = append(all, next)
				}
			}
		}
	case t.Satisfied != nil:
		next := t
		next.Satisfied = new(!*t.Satisfied)
		all = append(all, next)
	default:
		next := t
		next.Label = grounded[0]
		if score, _ := ScoreLabels([]string{t.Label}); score != nil && *score == 1 {
			next.Label = ungrounded[0]
		}
		all = append(all, next)
	}
	return all
}

// RulingsOf is what judges have said for some results, as somebody could type it for
// these criteria. Where other samples were asked than they want, votes are not counted.
func RulingsOf(results []Result, criteria []Criterion) (all []Ruling) {
	for _, r := range results {
		for i, turn := range r.Invocations {
			for _, s := range turn.Rubrics {
				if s.Score == nil {
					continue
				}
				t := Ruling{Metric: r.Metric, Turn: i + 1, ID: s.ID}
				if formOf(r.Metric) == Votes && samples(criteria, r.Metric) == len(turn.Replies) {
					t.Votes = new(votesFor(r.Metric, turn.Replies))
				} else {
					t.Satisfied = new(*s.Score == 1)
				}
				all = append(all, t)
			}
			for n, step := range turn.Steps {
				for k, claim := range step.Claims {
					all = append(all, Ruling{Metric: r.Metric, Turn: i + 1, ID: sentenceID(n+1, strconv.Itoa(k+1)), Label: claim.Label})
				}
			}
		}
	}
	return all
}

// samples is how often a metric's judge is asked one thing.
func samples(criteria []Criterion, metric string) int {
	for _, c := range criteria {
		if c.Metric == metric {
			return c.Judge.Times()
		}
	}
	return 0
}

// votesFor is how many replies are for a label.
func votesFor(metric string, replies []Reply) (n int) {
	parse := ParseLabel
	if metric == UserSimulator {
		parse = ParseUserLabel
	}
	for _, reply := range replies {
		if !reply.lexical() {
			if parse(reply.Text) == Valid {
				n++
			}
			continue
		}
		for _, s := range checked(reply.Text) {
			if s.Score != nil && *s.Score == 1 {
				n++
			}
		}
	}
	return n
}
