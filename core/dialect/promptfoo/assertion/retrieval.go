package assertion

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/pattern"
)

// tolerance is that of promptfoo's comparisons with a threshold: the distance from 1 to the next
// double.
const tolerance = 0x1p-52

var (
	sentenceEnd = pattern.New(`([.!?])\s+`)
	onlyNumber  = pattern.New(`^\d+[.)]$`)
)

// context returns the text that the answer is based on, as the test's variable `context` gives it, and its parts if
// it is a list. In its place, recall takes the prompt. All other types need a query, too.
func (c *call) context() (parts []string, whole string, err error) {
	isRecall := c.Type == "context-recall"
	if isRecall {
		whole = c.Row.Prompt
	}
	switch v := c.Row.Vars["context"].(type) {
	case string:
		whole = v
	case []any:
		for _, item := range v {
			text, isText := item.(string)
			if !isText || text == "" {
				return nil, "", refused("the variable `context` is a list with something other than texts")
			}
			parts = append(parts, text)
		}
		whole = strings.Join(parts, "\n\n")
	}
	_, hasQuery := c.Row.Vars["query"].(string)
	switch {
	case !hasQuery && !isRecall:
		err = refused("the test has no variable `query`")
	case c.ContextTransform != "":
		err = refused("its `contextTransform` is code, which is not run here")
	case whole == "":
		err = refused("the test has no variable `context`")
	}
	return parts, whole, err
}

// share asks for a reply in prose and grades which share it says: part of all, which is 0 if the reply says
// nothing. promptfoo never inverts it.
func (c *call) share(what string, own any, prompt string, vars map[string]any, read func(reply string) (part, all int)) (r result, err error) {
	err = c.ask(own, prompt, vars, func(reply string) error {
		part, all := read(reply)
		if all == 0 && c.spec {
			return errors.New("it says nothing about " + what)
		}
		share := float64(part) / float64(max(1, all))
		r = result{pass: share >= c.limit-tolerance, score: share, reason: fmt.Sprintf("%s is %v, the threshold is %v", what, share, c.limit)}
		return nil
	})
	return r, err
}

func lines(text string) []string {
	isBlank := func(line string) bool { return strings.TrimSpace(line) == "" }
	return slices.DeleteFunc(strings.Split(text, "\n"), isBlank)
}

// sentences divides a text at lines, if it has several, or else at the ends of sentences.
func sentences(text string) (list []string) {
	parts := lines(text)
	if len(parts) < 2 {
		parts = lines(sentenceEnd().ReplaceAllString(text, "$1\n"))
	}
	for _, part := range parts {
		if part = strings.TrimSpace(part); !onlyNumber().MatchString(part) {
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
	_, whole, err := c.context()
	if err != nil {
		return result{}, err
	}
	vars := c.with(map[string]any{"context": whole, "groundTruth": c.Value})
	return c.share("the recall", c.ownPrompt(), "context-recall", vars, func(reply string) (attributed, all int) {
		for _, line := range lines(strings.ToLower(reply)) {
			switch {
			case strings.Contains(line, "[not attributed]"):
				all++
			case strings.Contains(line, "[attributed]"):
				attributed, all = attributed+1, all+1
			}
		}
		return attributed, all
	})
}

// contextRelevance grades which share of the context the query needs.
func (c *call) contextRelevance() (result, error) {
	units, whole, err := c.context()
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
	vars := map[string]any{"context": whole, "query": c.Row.Vars["query"]}
	return c.share("the relevance of the context", c.ownPrompt(), "context-relevance", vars, func(reply string) (needed, all int) {
		if !strings.Contains(reply, "Insufficient Information") {
			distinct := slices.Compact(slices.Sorted(slices.Values(split(reply))))
			needed = min(len(distinct), len(units))
		}
		return needed, len(units)
	})
}

// contextFaithfulness grades which share of the output's statements the context supports.
func (c *call) contextFaithfulness() (result, error) {
	_, whole, err := c.context()
	if err != nil {
		return result{}, err
	}
	own, _ := c.ownPrompt().([]any)
	own = append(own, nil, nil)
	var statements []any
	vars := c.with(map[string]any{"question": c.Row.Vars["query"], "answer": parsed(c.output)})
	err = c.ask(promptText(own[0]), "context-statements", vars, func(reply string) error {
		statements = nil
		for _, line := range lines(reply) {
			statements = append(statements, line)
		}
		return nil
	})
	if err != nil {
		return result{}, err
	}
	vars = c.with(map[string]any{"context": whole, "statements": statements})
	return c.share("the faithfulness", promptText(own[1]), "context-faithfulness", vars, func(reply string) (yes, all int) {
		yes, verdicts := countVerdicts(strings.ToLower(reply))
		if verdicts == 0 {
			return 0, 0
		}
		return max(0, yes-max(0, verdicts-len(statements))), len(statements)
	})
}

// promptText returns a prompt that is a text or a message, or nil.
func promptText(own any) any {
	if message, isMessage := own.(map[string]any); isMessage {
		own = message["content"]
	}
	return own
}

// countVerdicts counts the verdicts of a reply in lower case.
func countVerdicts(reply string) (yes, all int) {
	_, final, found := strings.Cut(reply, "final verdict for each statement in order:")
	if !found {
		yes = strings.Count(reply, "verdict: yes")
		return yes, yes + strings.Count(reply, "verdict: no")
	}
	for verdict := range strings.SplitSeq(final, ".") {
		if strings.TrimSpace(verdict) != "" {
			all++
		}
		if strings.Contains(verdict, "yes") {
			yes++
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
func (c *call) similar(texts []string) (found result, err error) {
	e, can := c.ports.Judge.(Embedder)
	if !can {
		return result{}, refused("`%s` needs embeddings, which are not available here", c.Type)
	}
	output, err := e.Embed(c.ctx, c.output)
	for i, text := range texts {
		var given []float64
		if err == nil {
			given, err = e.Embed(c.ctx, text)
		}
		if err != nil {
			return result{}, err
		}
		r := c.compare(given, output)
		if r.pass != c.Inverse {
			return r, nil
		}
		if i == 0 || !c.Inverse && r.score > found.score || c.Inverse && r.score < found.score {
			found = r
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
