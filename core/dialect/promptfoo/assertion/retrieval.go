package assertion

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/score"
)

// tolerance is that of promptfoo's comparisons with a threshold: the distance from 1 to the next
// double.
const tolerance = 0x1p-52

var (
	sentenceEnd = pattern.New(`([.!?])\s+`)
	onlyNumber  = pattern.New(`^\d+[.)]$`)
)

// context returns the text that the answer is based on, as the test's variable `context` gives it, and
// its parts if it is a list.
func (c *call) context(fallback string) (chunks []string, whole string, err error) {
	whole = fallback
	switch v := c.Row.Vars["context"].(type) {
	case string:
		whole = v
	case []any:
		for _, item := range v {
			text, isText := item.(string)
			if !isText || text == "" {
				return nil, "", refused("the variable `context` is a list with something other than texts")
			}
			chunks = append(chunks, text)
		}
		whole = strings.Join(chunks, "\n\n")
	}
	switch {
	case c.ContextTransform != "":
		err = refused("its `contextTransform` is code, which is not run here")
	case whole == "":
		err = refused("the test has no variable `context`")
	}
	return chunks, whole, err
}

// queryAndContext returns the variables of a question about both.
func (c *call) queryAndContext() (query string, chunks []string, whole string, err error) {
	query, isText := c.Row.Vars["query"].(string)
	if !isText {
		return "", nil, "", refused("the test has no variable `query`")
	}
	chunks, whole, err = c.context("")
	return query, chunks, whole, err
}

// askPlain asks for a reply in prose.
func (c *call) askPlain(own any, prompt string, vars map[string]any) (reply string, err error) {
	err = c.ask(own, prompt, vars, func(given string) error {
		reply = given
		return nil
	})
	return reply, err
}

// atLeast grades a share, which promptfoo never inverts.
func (c *call) atLeast(share float64, what string) (result, error) {
	return result{pass: share >= c.limit-tolerance, score: share, reason: fmt.Sprintf("%s is %v, the threshold is %v", what, share, c.limit)}, nil
}

func lines(text string) (list []string) {
	for line := range strings.SplitSeq(text, "\n") {
		if strings.TrimSpace(line) != "" {
			list = append(list, line)
		}
	}
	return list
}

// sentences divides a text at lines, if it has several, or else at the ends of sentences.
func sentences(text string) (list []string) {
	parts := lines(text)
	if len(parts) < 2 {
		parts = strings.Split(sentenceEnd().ReplaceAllString(text, "$1\n"), "\n")
	}
	for _, part := range parts {
		if part = strings.TrimSpace(part); part != "" && !onlyNumber().MatchString(part) {
			list = append(list, part)
		}
	}
	return list
}

// contextRecall grades which share of the expected answer the context has.
func (c *call) contextRecall() (result, error) {
	if _, isText := c.Value.(string); !isText || c.Row.Prompt == "" {
		return result{}, refused("its `value` is not a text, or there is no prompt")
	}
	_, whole, err := c.context(c.Row.Prompt)
	if err != nil {
		return result{}, err
	}
	reply, err := c.askPlain(c.ownPrompt(), "context-recall", c.with(map[string]any{"context": whole, "groundTruth": c.Value}))
	if err != nil {
		return result{}, err
	}
	all, attributed := 0.0, 0.0
	for _, line := range lines(strings.ToLower(reply)) {
		switch {
		case strings.Contains(line, "[not attributed]"):
			all++
		case strings.Contains(line, "[attributed]"):
			all++
			attributed++
		}
	}
	if all == 0 && c.spec {
		return result{}, badReply{errors.New("the judge's reply attributes nothing")}
	}
	return c.atLeast(attributed/max(1, all), "the recall")
}

// contextRelevance grades which share of the context the query needs.
func (c *call) contextRelevance() (result, error) {
	query, units, whole, err := c.queryAndContext()
	if err != nil {
		return result{}, err
	}
	reply, err := c.askPlain(c.ownPrompt(), "context-relevance", map[string]any{"context": whole, "query": query})
	if err != nil {
		return result{}, err
	}
	split := lines
	if units == nil {
		units = sentences(whole)
		if len(lines(whole)) < 2 {
			split = sentences
		}
	}
	needed := map[string]bool{}
	if !strings.Contains(reply, "Insufficient Information") {
		for _, sentence := range split(reply) {
			needed[sentence] = true
		}
	}
	return c.atLeast(float64(min(len(needed), len(units)))/max(1, float64(len(units))), "the relevance of the context")
}

// contextFaithfulness grades which share of the output's statements the context supports.
func (c *call) contextFaithfulness() (result, error) {
	query, _, whole, err := c.queryAndContext()
	if err != nil {
		return result{}, err
	}
	own, _ := c.ownPrompt().([]any)
	own = append(own, nil, nil)
	reply, err := c.askPlain(promptText(own[0]), "context-statements", c.with(map[string]any{"question": query, "answer": parsed(c.output)}))
	if err != nil {
		return result{}, err
	}
	var statements []any
	for _, line := range lines(reply) {
		statements = append(statements, line)
	}
	reply, err = c.askPlain(promptText(own[1]), "context-faithfulness", c.with(map[string]any{"context": whole, "statements": statements}))
	if err != nil {
		return result{}, err
	}
	yes, all := countVerdicts(strings.ToLower(reply))
	if all == 0 && c.spec {
		return result{}, badReply{errors.New("the judge's reply has no verdicts")}
	}
	share := 0.0
	if n := float64(len(statements)); n > 0 && all > 0 {
		share = score.Clamp(1 - (all-yes+max(0, n-all))/n)
	}
	return c.atLeast(share, "the faithfulness")
}

// promptText returns a prompt that is a text or a message, or nil.
func promptText(own any) any {
	if message, isMessage := own.(map[string]any); isMessage {
		own = message["content"]
	}
	return own
}

// countVerdicts counts the verdicts of a reply in lower case.
func countVerdicts(reply string) (yes, all float64) {
	_, final, found := strings.Cut(reply, "final verdict for each statement in order:")
	if !found {
		yes = float64(strings.Count(reply, "verdict: yes"))
		return yes, yes + float64(strings.Count(reply, "verdict: no"))
	}
	for verdict := range strings.SplitSeq(final, ".") {
		if strings.Contains(verdict, "yes") {
			yes++
		}
		if strings.TrimSpace(verdict) != "" {
			all++
		}
	}
	return yes, all
}

// Embedder is a judge that also returns embeddings.
type Embedder interface {
	Embed(ctx context.Context, text string) ([]float64, error)
}

// similar compares embeddings of the output and of one or more texts, of which one must be near or,
// after `not-`, none.
func (c *call) similar() (result, error) {
	texts, err := c.references()
	if err != nil {
		return result{}, err
	}
	e, can := c.ports.Judge.(Embedder)
	if !can {
		return result{}, refused("`%s` needs embeddings, which are not available here", c.Type)
	}
	output, err := e.Embed(c.ctx, c.output)
	if err != nil {
		return result{}, err
	}
	var found result
	for i, text := range texts {
		given, err := e.Embed(c.ctx, text)
		if err != nil {
			return result{}, err
		}
		r := c.compare(given, output)
		if i == 0 || !c.Inverse && r.score > found.score || c.Inverse && r.score < found.score {
			found = r
		}
		if r.pass != c.Inverse {
			return r, nil
		}
	}
	return found, nil
}

// compare grades the cosine or the dot product of two embeddings, or their distance, which must be small.
func (c *call) compare(a, b []float64) result {
	dot, squaresA, squaresB, apart := 0.0, 0.0, 0.0, 0.0
	for i := range min(len(a), len(b)) {
		dot += a[i] * b[i]
		squaresA += a[i] * a[i]
		squaresB += b[i] * b[i]
		apart += (a[i] - b[i]) * (a[i] - b[i])
	}
	value, what := 0.0, "similarity"
	switch {
	case c.Type == "similar:euclidean":
		value, what = math.Sqrt(apart), "distance"
	case c.Type == "similar:dot":
		value = dot
	case squaresA > 0 && squaresB > 0:
		value = dot / (math.Sqrt(squaresA) * math.Sqrt(squaresB))
	}
	r := result{pass: value >= c.limit-tolerance, score: value, reason: fmt.Sprintf("the %s is %v, the threshold is %v", what, value, c.limit)}
	if what == "distance" {
		r.pass, r.score = value <= c.limit+tolerance, 1/(1+value)
	}
	if c.Inverse {
		r.pass, r.score = !r.pass || math.Abs(value-c.limit) <= tolerance, 1-r.score
	}
	return r
}
