package metric

import (
	"context"
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/judge"
)

// Step is a text of the agent that was looked through for hallucinations.
type Step struct {
	Text   string   `json:"text"`
	Events int      `json:"events"` // how many of the turn's events came before it and are its evidence
	Score  *float64 `json:"score"`  // the share of its claims that are grounded
	Claims []Claim  `json:"claims"`
	Reason string   `json:"reason,omitempty"` // why it has no score

	Unlabelled int `json:"unlabelled,omitempty"` // sentences that the judge left without a label that counts
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

// measureHallucinations is the mean over the turn's texts of the share of claims
// that its evidence grounds. A judge is asked twice for each text, and only once
// each time.
func measureHallucinations(ctx context.Context, e evaluation, t turn) (InvocationResult, error) {
	r := InvocationResult{Steps: e.textSteps(t.actual)}
	if len(r.Steps) == 0 {
		r.Reason = "it has no text to look through"
		return r, nil
	}
	var all []*float64
	for i := range r.Steps {
		step := &r.Steps[i]
		replies, err := e.checkStep(ctx, t.actual, step)
		r.Replies = append(r.Replies, replies...)
		if err != nil { // ADK passes over a text whose judge failed
			step.Reason, r.Err = err.Error(), err
		}
		if step.Unlabelled > 0 {
			r.Problems = append(r.Problems, fmt.Sprintf("in text %d the judge left sentences without a label: %d; the score leaves them out", i+1, step.Unlabelled))
		}
		all = append(all, step.Score)
	}
	if r.Score = Mean(all); r.Score == nil {
		r.Reason = r.Steps[0].Reason
	}
	return r, nil
}

// textSteps are the texts to look through: the answer, and before it if asked for
// each text on the way to it.
func (e evaluation) textSteps(i Invocation) []Step {
	var steps []Step
	if e.criterion.EachIntermediate {
		for n, event := range i.Events {
			for _, text := range event.Content.textParts() {
				steps = append(steps, Step{Text: text, Events: n, Claims: []Claim{}})
			}
		}
	}
	if text, _ := i.Final.Text(); text != "" {
		steps = append(steps, Step{Text: text, Events: len(i.Events), Claims: []Claim{}})
	}
	return steps
}

// checkStep asks for the sentences of a step and then for their labels.
func (e evaluation) checkStep(ctx context.Context, i Invocation, step *Step) ([]Reply, error) {
	replies, err := e.askJudge(ctx, segmentQuestion(step.Text), 1)
	if err != nil {
		return replies, err
	}
	sentences := ParseSentences(replies[0].Text)
	if replies[0].isOffline() {
		sentences = splitSentences(step.Text)
	}
	if len(sentences) == 0 {
		step.Reason = "the judge found no sentences in it"
		return replies, nil
	}
	labelled, err := e.askJudge(ctx, claimQuestion(i, step, sentences), 1)
	replies = append(replies, labelled...)
	if err != nil {
		return replies, err
	}
	if labelled[0].isOffline() {
		step.Claims = append(step.Claims, offlineClaims(sentences, parseOfflineReply(labelled[0].Text))...)
	} else {
		step.Claims = append(step.Claims, ParseClaims(labelled[0].Text)...)
	}
	score, counted := ScoreLabels(claimLabels(step.Claims))
	step.Score, step.Unlabelled = score, max(0, len(sentences)-counted)
	if score == nil {
		step.Reason = "the judge's reply has no label that counts"
	}
	return replies, nil
}

func segmentQuestion(text string) judge.Question {
	return judge.Question{
		System: examinerRole + "\n\n" + segmentRule + "\n\n" + segmentForm,
		User:   formatSections(section{"Text", text}),
		Brief:  judge.Brief{Submission: text},
		Usable: func(reply string) bool { return len(ParseSentences(reply)) > 0 },
	}
}

func claimQuestion(i Invocation, step *Step, sentences []string) judge.Question {
	evidence := i.Evidence(step.Events)
	return judge.Question{
		System: examinerRole + "\n\n" + claimRule + "\n\n" + claimForm,
		User: formatSections(section{"Evidence", evidence},
			section{"Sentences", "<sentence>" + strings.Join(sentences, "</sentence>\n<sentence>") + "</sentence>"}),
		Brief: judge.Brief{Question: i.userText(), Submission: evidence, Items: sentenceItems(sentences)},
		Usable: func(reply string) bool {
			_, counted := ScoreLabels(claimLabels(ParseClaims(reply)))
			return counted > 0
		},
	}
}

// sentenceItems are named by their places, from 1.
func sentenceItems(sentences []string) []judge.Item {
	all := make([]judge.Item, len(sentences))
	for n, s := range sentences {
		all[n] = judge.Item{ID: fmt.Sprint(n + 1), Text: s}
	}
	return all
}

// offlineClaims are the stand-in's verdicts on sentences, in the same order. A
// question claims nothing.
func offlineClaims(sentences []string, verdicts []RubricScore) []Claim {
	var claims []Claim
	for n, v := range verdicts[:min(len(verdicts), len(sentences))] {
		c := Claim{Sentence: sentences[n], Label: "unsupported", Rationale: v.Rationale}
		switch {
		case strings.HasSuffix(c.Sentence, "?"):
			c.Label, c.Rationale = "not_applicable", "it asks, and claims nothing"
		case v.Score != nil && *v.Score == 1:
			c.Label = "supported"
		}
		claims = append(claims, c)
	}
	return claims
}
