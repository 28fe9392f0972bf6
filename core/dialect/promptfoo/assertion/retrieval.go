package assertion

import (
	"context"
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
	recallPrompt = prompt{user: "Say of each sentence of an answer whether it can be attributed to a context. Write each sentence on a line of its own, " +
		"numbered, with a short reason and then [Attributed] or [Not Attributed].\n\n<Context>\n{{ context }}\n</Context>\n<Answer>\n{{ groundTruth }}\n</Answer>"}
	relevancePrompt = prompt{user: "Copy from a context the sentences that are needed to answer a query, one a line and without any change. " +
		"If there are none, or if the context cannot answer the query, reply: Insufficient Information\n\n<Query>\n{{ query }}\n</Query>\n<Context>\n{{ context }}\n</Context>"}
	statementsPrompt = prompt{user: "Divide each sentence of an answer to a question into statements that stand alone. Write one statement a line and nothing else.\n\n" +
		"<Question>\n{{ question }}\n</Question>\n<Answer>\n{{ answer }}\n</Answer>"}
	supportPrompt = prompt{user: "Say of each statement whether a context supports it. Give a short reason, and then write `Verdict: Yes.` or `Verdict: No.` " +
		"At the end repeat all verdicts in order, on one line: Final verdict for each statement in order: Yes. No.\n\n" +
		"<Context>\n{{ context }}\n</Context>\n<Statements>\n{{ statements }}\n</Statements>"}
	questionPrompt = prompt{user: "Write one question that this answer answers. Reply with the question and nothing else.\n\n<Answer>\n{{ answer }}\n</Answer>"}

	sentenceEnd = pattern.New(`([.!?])\s+`)
	onlyNumber  = pattern.New(`^\d+[.)]$`)
)

// anyReply accepts a reply with words in it.
func anyReply(reply string) error {
	if strings.TrimSpace(reply) == "" {
		return fmt.Errorf("it is empty")
	}
	return nil
}

// askPlain asks for a reply in prose.
func (c *call) askPlain(own any, builtIn prompt, vars map[string]any) (reply, why string, err error) {
	return c.ask(own, builtIn, vars, anyReply)
}

// context returns the text that the answer is based on, as the test's variable `context` gives it.
func (c *call) context(fallback string) (chunks []string, whole string, err error) {
	switch v := c.Row.Vars["context"].(type) {
	case string:
		fallback = v
	case []any:
		for _, item := range v {
			text, isText := item.(string)
			if !isText || text == "" {
				return nil, "", refused("the variable `context` is a list with something other than texts")
			}
			chunks = append(chunks, text)
		}
		fallback = strings.Join(chunks, "\n\n")
	}
	switch {
	case c.ContextTransform != "":
		return nil, "", refused("its `contextTransform` is code, which is not run here")
	case fallback == "":
		return nil, "", refused("the test has no variable `context`")
	}
	return chunks, fallback, nil
}

func (c *call) query() (string, error) {
	query, isText := c.Row.Vars["query"].(string)
	if !isText {
		return "", refused("the test has no variable `query`")
	}
	return query, nil
}

// atLeast grades a share, which promptfoo never inverts.
func (c *call) atLeast(share float64, what string) (result, error) {
	least, err := c.threshold(0)
	return result{pass: share >= least-tolerance, score: share, reason: fmt.Sprintf("%s is %v, the threshold is %v", what, share, least)}, err
}

func lines(text string) (list []string) {
	for line := range strings.SplitSeq(text, "\n") {
		if strings.TrimSpace(line) != "" {
			list = append(list, line)
		}
	}
	return list
}

// contextRecall grades which share of the expected answer the context has.
func (c *call) contextRecall() (result, error) {
	value, isText := c.Value.(string)
	if !isText || c.Row.Prompt == "" {
		return result{}, refused("its `value` is not a text, or there is no prompt")
	}
	_, whole, err := c.context(c.Row.Prompt)
	if err != nil {
		return result{}, err
	}
	reply, why, err := c.askPlain(c.ownPrompt(), recallPrompt, c.with(map[string]any{"context": whole, "groundTruth": value}))
	if err != nil || why != "" {
		return failedJudge(why, err)
	}
	all, attributed := 0, 0
	for _, line := range lines(strings.ToLower(reply)) {
		not := strings.Contains(line, "[not attributed]")
		if yes := strings.Contains(line, "[attributed]"); yes || not {
			all++
			if !not {
				attributed++
			}
		}
	}
	if all == 0 && c.spec {
		return unusable("the judge's reply attributes nothing")
	}
	return c.atLeast(float64(attributed)/math.Max(1, float64(all)), "the recall")
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

// contextRelevance grades which share of the context the query needs.
func (c *call) contextRelevance() (result, error) {
	query, err := c.query()
	if err != nil {
		return result{}, err
	}
	chunks, whole, err := c.context("")
	if err != nil {
		return result{}, err
	}
	reply, why, err := c.askPlain(c.ownPrompt(), relevancePrompt, map[string]any{"context": whole, "query": query})
	if err != nil || why != "" {
		return failedJudge(why, err)
	}
	units, split := chunks, lines
	if chunks == nil {
		units = sentences(whole)
	}
	if chunks == nil && len(lines(whole)) < 2 {
		split = sentences
	}
	needed := map[string]bool{}
	if !strings.Contains(reply, "Insufficient Information") {
		for _, sentence := range split(reply) {
			needed[sentence] = true
		}
	}
	return c.atLeast(float64(min(len(needed), len(units)))/math.Max(1, float64(len(units))), "the relevance of the context")
}

// contextFaithfulness grades which share of the output's statements the context supports.
func (c *call) contextFaithfulness() (result, error) {
	query, err := c.query()
	if err != nil {
		return result{}, err
	}
	_, whole, err := c.context("")
	if err != nil {
		return result{}, err
	}
	own, _ := c.ownPrompt().([]any)
	own = append(own, nil, nil)
	reply, why, err := c.askPlain(promptText(own[0]), statementsPrompt, c.with(map[string]any{"question": query, "answer": parsed(c.output)}))
	if err != nil || why != "" {
		return failedJudge(why, err)
	}
	var statements []any
	for _, line := range lines(reply) {
		statements = append(statements, line)
	}
	reply, why, err = c.askPlain(promptText(own[1]), supportPrompt, c.with(map[string]any{"context": whole, "statements": statements}))
	if err != nil || why != "" {
		return failedJudge(why, err)
	}
	yes, all := countVerdicts(strings.ToLower(reply))
	if all == 0 && c.spec {
		return unusable("the judge's reply has no verdicts")
	}
	share := 0.0
	if n := float64(len(statements)); n > 0 && all > 0 {
		share = score.Clamp(1 - (float64(all-yes)+math.Max(0, n-float64(all)))/n)
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
func countVerdicts(reply string) (yes, all int) {
	if _, final, found := strings.Cut(reply, "final verdict for each statement in order:"); found {
		for verdict := range strings.SplitSeq(final, ".") {
			if strings.TrimSpace(verdict) == "" {
				continue
			}
			if all++; strings.Contains(verdict, "yes") {
				yes++
			}
		}
		return yes, all
	}
	yes = strings.Count(reply, "verdict: yes")
	return yes, yes + strings.Count(reply, "verdict: no")
}

// Embedder is a judge that also returns embeddings.
type Embedder interface {
	Embed(ctx context.Context, text string) ([]float64, error)
}

// embed returns the embedding of a text by the judge.
func (c *call) embed(text string) ([]float64, error) {
	e, can := c.ports.Judge.(Embedder)
	if !can {
		return nil, refused("`%s` needs embeddings, which are not available here", c.Type)
	}
	return e.Embed(c.ctx, text)
}

// answerRelevance compares the query with questions that the output answers.
func (c *call) answerRelevance() (result, error) {
	query, isText := c.Row.Vars["query"].(string)
	if !isText {
		query = c.Row.Prompt
	}
	if c.Row.Prompt == "" {
		return result{}, refused("there is no prompt")
	}
	if _, can := c.ports.Judge.(Embedder); !can {
		return result{}, refused("`%s` needs embeddings, which are not available here", c.Type)
	}
	wanted, err := c.embed(query)
	if err != nil {
		return result{}, err
	}
	const questions = 3
	sum := 0.0
	for range questions {
		reply, why, err := c.askPlain(c.ownPrompt(), questionPrompt, map[string]any{"answer": parsed(c.output)})
		if err != nil || why != "" {
			return failedJudge(why, err)
		}
		given, err := c.embed(reply)
		if err != nil {
			return result{}, err
		}
		sum += similarity("cosine", wanted, given)
	}
	return c.atLeast(sum/questions, "the relevance of the answer")
}

// similar compares embeddings of the output and of one or more texts.
func (c *call) similar() (result, error) {
	texts, err := c.references()
	if err != nil {
		return result{}, err
	}
	limit, err := c.threshold(0.75)
	if err != nil {
		return result{}, err
	}
	output, err := c.embed(c.output)
	if err != nil {
		return result{}, err
	}
	_, metric, _ := strings.Cut(c.Type, ":")
	var found result
	for i, text := range texts {
		given, err := c.embed(text)
		if err != nil {
			return result{}, err
		}
		r := c.compare(metric, similarity(metric, given, output), limit)
		if i == 0 || !c.Inverse && r.score > found.score || c.Inverse && r.score < found.score {
			found = r
		}
		if r.pass != c.Inverse {
			return r, nil
		}
	}
	return found, nil
}

// compare grades a similarity, or a distance, which must be small.
func (c *call) compare(metric string, value, limit float64) result {
	r := result{pass: value >= limit-tolerance, score: value, reason: fmt.Sprintf("the similarity is %v, the threshold is %v", value, limit)}
	atLimit := math.Abs(value-limit) <= tolerance
	if metric == "euclidean" {
		r = result{pass: value <= limit+tolerance, score: 1 / (1 + value), reason: fmt.Sprintf("the distance is %v, the threshold is %v", value, limit)}
	}
	if c.Inverse {
		r.pass, r.score = !r.pass || atLimit, 1-r.score
	}
	return r
}

// similarity returns the cosine, the dot product or the Euclidean distance of two vectors.
func similarity(metric string, a, b []float64) float64 {
	dot, squaresA, squaresB, apart := 0.0, 0.0, 0.0, 0.0
	for i := range min(len(a), len(b)) {
		dot, squaresA, squaresB, apart = dot+a[i]*b[i], squaresA+a[i]*a[i], squaresB+b[i]*b[i], apart+(a[i]-b[i])*(a[i]-b[i])
	}
	switch {
	case metric == "dot":
		return dot
	case metric == "euclidean":
		return math.Sqrt(apart)
	case squaresA == 0 || squaresB == 0:
		return 0
	}
	return dot / (math.Sqrt(squaresA) * math.Sqrt(squaresB))
}
