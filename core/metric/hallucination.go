package metric

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/offline"
)

// Step is a text of the agent that is checked for hallucinations.
type Step struct {
	Text   string   `json:"text"`
	Events int      `json:"events"` // number of the turn's events before it, which are its evidence
	Score  *float64 `json:"score"`  // share of its claims that are grounded
	Claims []Claim  `json:"claims"`
	Reason string   `json:"reason,omitempty"` // why it has no score

	Unlabelled int `json:"unlabelled,omitempty"` // sentences without a valid label
}

const (
	segmentRule = "Cut the text into its sentences, word for word and in order, leaving nothing out and adding nothing. " +
		"An item of a list is a sentence of its own, and so is the line before the list; a table is one sentence."
	segmentForm = "Reply with each sentence between <sentence> and </sentence>, and nothing else."
	claimRule   = "Label each sentence by the evidence alone, not by what you know of the world:\n" +
		"- supported: all of it follows from the evidence\n" +
		"- unsupported: some of it does not follow, and nothing speaks against it\n" +
		"- contradictory: some of it cannot be true if the evidence is\n" +
		"- disputed: some of the evidence supports it and some contradicts it\n" +
		"- not_applicable: it claims no fact, such as a greeting, a question, an opinion or an offer"
	claimForm = "Reply in plain text with one block of five lines for each sentence, in their order, and an empty line after it:\n" +
		"sentence: the sentence, word for word\n" +
		"label: one of the five labels\n" +
		"rationale: your reason, on this one line\n" +
		"supporting_excerpt: the words of the evidence that support it, or null\n" +
		"contradicting_excerpt: the words of the evidence that contradict it, or null"
)

// measureHallucinations returns the mean over the turn's texts of the share of claims that the
// evidence supports. It asks a judge twice for each text, with one sample each.
func measureHallucinations(ctx context.Context, e evaluation, t turn) (InvocationResult, error) {
	r := InvocationResult{Steps: e.textSteps(t.actual)}
	if n := len(t.actual.IntermediateResponses); n > 0 && e.criterion.EachIntermediate {
		r.Problems = append(r.Problems, fmt.Sprintf("its `intermediate_responses` are checked, %d in all; ADK checks only texts in `invocation_events`", n))
	}
	if len(r.Steps) == 0 {
		r.Reason = "no text to check"
		return r, nil
	}
	var all []*float64
	for i := range r.Steps {
		step := &r.Steps[i]
		replies, err := e.checkStep(ctx, t.actual, step)
		r.Replies = append(r.Replies, replies...)
		if err != nil { // ADK skips a text whose judge failed
			step.Reason, r.Err = err.Error(), err
		}
		if step.Unlabelled > 0 {
			unlabelled := fmt.Errorf("in text %d the judge left sentences without a label: %d", i+1, step.Unlabelled)
			r.Err = cmp.Or(r.Err, unlabelled)
			r.Problems = append(r.Problems, unlabelled.Error()+"; the score leaves them out")
		} else if step.Score == nil && err == nil {
			r.Err = cmp.Or(r.Err, errors.New(step.Reason))
		}
		all = append(all, step.Score)
	}
	if r.Score = Mean(all); r.Score == nil {
		r.Reason = r.Steps[0].Reason
	}
	return r, nil
}

// textSteps returns the texts to check: the answer, preceded by the intermediate texts if the
// criterion asks for them.
func (e evaluation) textSteps(i Invocation) []Step {
	var steps []Step
	if e.criterion.EachIntermediate {
		events := i.Events
		if len(events) == 0 {
			events = i.IntermediateResponses
		}
		for n, event := range events {
			for _, text := range event.Content.textParts() {
				steps = append(steps, Step{Text: text, Events: min(n, len(i.Events)), Claims: []Claim{}})
			}
		}
	}
	if text, _ := i.Final.Text(); text != "" {
		steps = append(steps, Step{Text: text, Events: len(i.Events), Claims: []Claim{}})
	}
	return steps
}

// checkStep asks for the sentences of a step and then for their labels.
func (e evaluation) checkStep(ctx context.Context, i Invocation, step *Step) ([]judge.Reply, error) {
	replies, err := e.askJudge(ctx, segmentQuestion(step.Text), 1)
	if err != nil {
		return replies, err
	}
	sentences := ParseSentences(replies[0].Text)
	if isOffline(replies[0]) { // a dry run counts both questions
		sentences = splitSentences(step.Text)
	}
	if len(sentences) == 0 {
		step.Reason = "the judge found no sentences in the text"
		return replies, nil
	}
	labelled, err := e.askJudge(ctx, claimQuestion(i, step, sentences), 1)
	replies = append(replies, labelled...)
	if err != nil {
		return replies, err
	}
	if isOffline(labelled[0]) {
		step.Reason = offline.NeedsModel
		return replies, nil
	}
	step.Claims = append(step.Claims, ParseClaims(labelled[0].Text)...)
	score, counted := ScoreLabels(claimLabels(step.Claims))
	step.Score, step.Unlabelled = score, max(0, len(sentences)-counted)
	if score == nil {
		step.Reason = "the judge's reply has no valid label"
	}
	return replies, nil
}

func segmentQuestion(text string) judge.Question {
	return judge.Question{
		System: examinerRole + "\n\n" + segmentRule + "\n\n" + segmentForm,
		User:   grade.Sections("Text", text),
		Brief:  judge.Brief{Submission: text},
		Usable: func(reply string) bool { return len(ParseSentences(reply)) > 0 },
	}
}

func claimQuestion(i Invocation, step *Step, sentences []string) judge.Question {
	evidence, items := i.Evidence(step.Events), make([]judge.Item, len(sentences))
	for n, s := range sentences {
		items[n] = judge.Item{ID: fmt.Sprint(n + 1), Text: s}
	}
	return judge.Question{
		System: examinerRole + "\n\n" + claimRule + "\n\n" + claimForm,
		User: grade.Sections("Evidence", evidence,
			"Sentences", "<sentence>"+strings.Join(sentences, "</sentence>\n<sentence>")+"</sentence>"),
		Brief: judge.Brief{Question: i.userText(), Submission: evidence, Items: items},
		Usable: func(reply string) bool {
			_, counted := ScoreLabels(claimLabels(ParseClaims(reply)))
			return counted > 0
		},
	}
}

// Claim is a sentence of an answer and how the evidence supports it.
type Claim struct {
	Sentence      string  `json:"sentence"`
	Label         string  `json:"label"` // as the judge wrote it; see [ScoreLabels]
	Rationale     string  `json:"rationale"`
	Supporting    *string `json:"supporting_excerpt"`    // quoted from the evidence
	Contradicting *string `json:"contradicting_excerpt"` // quoted from the evidence
}

// The labels of a claim, in lower case.
var (
	groundedLabels   = []string{"supported", "not_applicable"}
	ungroundedLabels = []string{"unsupported", "contradictory", "disputed"}
)

// ScoreLabels returns the share of valid labels that are supported or not applicable, and the
// number of valid labels. Case and surrounding space do not matter. The score is nil if no label is
// valid.
func ScoreLabels(labels []string) (score *float64, counted int) {
	var all []*float64
	for _, l := range labels {
		switch l = strings.ToLower(strings.TrimSpace(l)); {
		case slices.Contains(groundedLabels, l):
			all = append(all, new(1.0))
		case slices.Contains(ungroundedLabels, l):
			all = append(all, new(0.0))
		}
	}
	return Mean(all), len(all)
}

func claimLabels(claims []Claim) []string {
	return generic.Map(claims, func(c Claim) string { return c.Label })
}

// ParseSentences returns the texts between <sentence> and </sentence>, in lower case and across
// lines.
func ParseSentences(reply string) []string {
	var sentences []string
	for {
		_, rest, opened := strings.Cut(reply, "<sentence>")
		sentence, rest, closed := strings.Cut(rest, "</sentence>")
		if !opened || !closed {
			return sentences
		}
		sentences = append(sentences, sentence)
		reply = rest
	}
}

// claimKeys begin the five fields of a claim. Each but the first starts a line.
var claimKeys = []string{"sentence:", "\nlabel:", "\nrationale:", "\nsupporting_excerpt:", "\ncontradicting_excerpt:"}

// ParseClaims parses a judge's labels of sentences: blocks of five fields in a fixed order, with
// keys in any case. A field ends at the next key of its block. A block that lacks a field therefore
// takes it from the next block, or is lost without one. An excerpt of null is nil.
func ParseClaims(reply string) []Claim {
	var claims []Claim
	reply = strings.TrimSpace(reply)
	folded := asciiLower(reply) // of the same length, so offsets are valid in reply
	at := 0
	for {
		var fields [5]string
		for i, key := range claimKeys {
			found := strings.Index(folded[at:], key)
			if found < 0 {
				return claims // no later block can be complete either
			}
			if i > 0 {
				fields[i-1] = strings.TrimSpace(reply[at : at+found])
			}
			at += found + len(key)
		}
		end := len(reply)
		if next := strings.Index(folded[at:], "\nsentence:"); next >= 0 {
			end = at + next
		}
		fields[4] = strings.TrimSpace(reply[at:end])
		at = end
		claims = append(claims, Claim{fields[0], fields[1], fields[2], excerptOrNil(fields[3]), excerptOrNil(fields[4])})
	}
}

func excerptOrNil(text string) *string {
	if strings.EqualFold(text, "null") {
		return nil
	}
	return &text
}

func asciiLower(text string) string {
	b := []byte(text)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
