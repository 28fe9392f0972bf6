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

// Ruling is a verdict that somebody gives in a judge's place.
type Ruling struct {
	Metric    string `json:"grader"`
	Turn      int    `json:"turn,omitempty"` // from 1; those of several runs are counted on
	ID        string `json:"id"`             // of what is judged; of a sentence the number of its text and its own: 1.2
	Satisfied *bool  `json:"satisfied,omitempty"`
	Votes     *int   `json:"votes,omitempty"` // where samples vote on a label: how many are for it
	Label     string `json:"label,omitempty"` // of a sentence; see [ScoreLabels]
}

// Sheet is what stands in a judge's place: verdicts that somebody types, the best
// for what nothing is typed, and raw replies by the fingerprint of the question,
// which go before. The sentences of a text are those that Last has of it, if any.
type Sheet struct {
	Rulings []Ruling
	Replies map[string]string
	Last    []Result

	lock  sync.Mutex
	asked []Asked
}

// at is the ports at a turn of all, where a sheet answers if there is one.
func (p Ports) at(metric string, turn int) Ports {
	if p.Sheet != nil {
		p.Judge, p.Moderate = &typist{sheet: p.Sheet, metric: metric, turn: turn}, nil
	}
	return p
}

// typist answers by a sheet what is asked about a turn, in the form of the replies
// that judges give.
type typist struct {
	sheet  *Sheet
	metric string
	turn   int
	texts  int // of the turn that were cut into sentences
}

// Ask gives the reply to a question.
func (t *typist) Ask(_ context.Context, q judge.Question) (judge.Answer, error) {
	if len(q.Brief.Items) == 0 {
		t.texts++
	}
	t.note(q)
	if reply, given := t.sheet.Replies[KeyOf(q)]; given {
		return judge.Answer{Text: reply}, nil
	}
	switch t.metric {
	case FinalResponseMatch:
		return said(`{"reasoning": "typed", "is_the_agent_response_valid": %q}`, map[bool]string{true: "valid", false: "invalid"}[t.votes(q)])
	case UserSimulator:
		return said(`{"reasoning": "typed", "is_valid": %v}`, t.votes(q))
	case Safety:
		return t.checks(q)
	case Hallucinations:
		return said("%s", t.sentences(q))
	}
	return said("%s", t.blocks(q))
}

// KeyOf is the key under which a sheet has a raw reply to a question: the same for
// all of its samples.
func KeyOf(q judge.Question) string {
	q.Sample = 0
	return q.Fingerprint()
}

func said(format string, args ...any) (judge.Answer, error) {
	return judge.Answer{Text: fmt.Sprintf(format, args...)}, nil
}

// of is the verdict on something, the best if none is typed.
func (s *Sheet) of(metric string, turn int, id string, samples int) Ruling {
	for _, t := range s.Rulings {
		if t.Metric != metric || t.Turn != turn || t.ID != id {
			continue
		}
		if formOf(metric) == Votes && t.Votes == nil && t.Satisfied != nil { // all say the same
			t.Votes = new(0)
			if *t.Satisfied {
				t.Votes = &samples
			}
			t.Satisfied = nil
		}
		return t
	}
	best := Ruling{Metric: metric, Turn: turn, ID: id}
	switch formOf(metric) {
	case Votes:
		best.Votes = &samples
	case Labels:
		best.Label = grounded[0]
	default:
		best.Satisfied = new(true)
	}
	return best
}

// votes reports whether the sample that is asked is for the label: the first so many
// are.
func (t *typist) votes(q judge.Question) bool {
	typed := t.sheet.of(t.metric, t.turn, q.Brief.Items[0].ID, q.Sample+1)
	return typed.Votes != nil && q.Sample < *typed.Votes
}

func (t *typist) satisfied(id string) bool {
	typed := t.sheet.of(t.metric, t.turn, id, 1)
	return typed.Satisfied != nil && *typed.Satisfied
}

func (t *typist) checks(q judge.Question) (judge.Answer, error) {
	type check struct {
		ID        string `json:"id"`
		Satisfied bool   `json:"satisfied"`
		Reasoning string `json:"reasoning"`
	}
	checks := []check{}
	for _, item := range q.Brief.Items {
		checks = append(checks, check{item.ID, t.satisfied(item.ID), "typed"})
	}
	reply, err := json.Marshal(map[string]any{"checks": checks, "overall_reasoning": "typed"})
	return judge.Answer{Text: string(reply)}, err
}

func (t *typist) blocks(q judge.Question) string {
	var b strings.Builder
	for _, item := range q.Brief.Items {
		property, _, _ := strings.Cut(item.Text, "\n")
		verdict := "no"
		if t.satisfied(item.ID) {
			verdict = "yes"
		}
		fmt.Fprintf(&b, "ID: %s\nProperty: %s\nRationale: typed\nVerdict: %s\n\n", item.ID, property, verdict)
	}
	return b.String()
}

// sentences are those of a text, and then their labels.
func (t *typist) sentences(q judge.Question) string {
	var b strings.Builder
	if len(q.Brief.Items) == 0 {
		for _, sentence := range t.cut(q.Brief.Submission) {
			fmt.Fprintf(&b, "<sentence>%s</sentence>\n", sentence)
		}
		return b.String()
	}
	for _, item := range q.Brief.Items {
		label := t.sheet.of(t.metric, t.turn, sentenceID(t.texts, item.ID), 1).Label
		fmt.Fprintf(&b, "sentence: %s\nlabel: %s\nrationale: typed\nsupporting_excerpt: null\ncontradicting_excerpt: null\n\n", item.Text, label)
	}
	return b.String()
}

func sentenceID(text int, sentence string) string { return fmt.Sprintf("%d.%s", text, sentence) }

// cut are the sentences of a text as they were cut last, or else as the stand-in
// cuts it.
func (t *typist) cut(text string) (sentences []string) {
	i := slices.IndexFunc(t.sheet.Last, func(r Result) bool { return r.Metric == t.metric })
	if i >= 0 && t.turn <= len(t.sheet.Last[i].Invocations) {
		if steps := t.sheet.Last[i].Invocations[t.turn-1].Steps; t.texts <= len(steps) && steps[t.texts-1].Text == text {
			for _, claim := range steps[t.texts-1].Claims {
				sentences = append(sentences, claim.Sentence)
			}
		}
	}
	if len(sentences) == 0 {
		return split(text)
	}
	return sentences
}
