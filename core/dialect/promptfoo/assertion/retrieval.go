package assertion

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/pattern"
)

// tolerance is that of promptfoo's comparisons with a threshold: the distance from 1 to the next double.
const tolerance = 0x1p-52

var (
	sentenceEnd = pattern.New(`([.!?])\s+`)
	onlyNumber  = pattern.New(`^\d+[.)]$`)
)

// inContext is a check of a type that needs the context of the answer, as the test's variable `context` gives it, and
// its parts if it is a list. In its place, recall takes the prompt. All other types need a query, too.
func inContext(check func(c *call, parts []string, whole string) (result, error)) func(*call) (result, error) {
	return func(c *call) (result, error) {
		parts, isText := texts(c.Row.Vars["context"])
		_, isList := c.Row.Vars["context"].([]any)
		_, hasQuery := c.Row.Vars["query"].(string)
		isRecall := c.Type == "context-recall"
		whole := strings.Join(parts, "\n\n")
		if !isText && isRecall {
			whole = c.Row.Prompt
		}
		switch {
		case isList && (!isText || slices.Contains(parts, "")):
			return result{}, refused("the variable `context` is a list with something other than texts")
		case !hasQuery && !isRecall:
			return result{}, refused("the test has no variable `query`")
		case c.Fields["contextTransform"] != nil:
			return result{}, refused("its `contextTransform` is code, which is not run here")
		case whole == "":
			return result{}, refused("the test has no variable `context`")
		case !isList:
			parts = nil
		}
		return check(c, parts, whole)
	}
}

// share grades which share of all has a part, or 0 if the reply says nothing. promptfoo never inverts it.
func (c *call) share(what string, part, all int) (result, error) {
	if all == 0 && c.spec {
		return result{}, fmt.Errorf("it says nothing about %s", what)
	}
	value := float64(part) / float64(max(1, all))
	return result{pass: value >= c.limit-tolerance, score: value, reason: fmt.Sprintf("%s is %v, the threshold is %v", what, value, c.limit)}, nil
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
func (c *call) contextRecall(_ []string, whole string) (result, error) {
	if _, isText := c.Value.(string); !isText || c.Row.Prompt == "" {
		return result{}, refused("its `value` is not a text, or there is no prompt")
	}
	return c.judged("context-recall", javascript.Assign(c.Row.Vars, map[string]any{"context": whole, "groundTruth": c.Value}), func(reply string) (result, error) {
		attributed, all := 0, 0
		for _, line := range lines(strings.ToLower(reply)) {
			switch {
			case strings.Contains(line, "[not attributed]"):
				all++
			case strings.Contains(line, "[attributed]"):
				attributed, all = attributed+1, all+1
			}
		}
		return c.share("the recall", attributed, all)
	})
}

// contextRelevance grades which share of the context the query needs.
func (c *call) contextRelevance(units []string, whole string) (result, error) {
	split := lines
	if units == nil {
		units = sentences(whole)
		if len(lines(whole)) < 2 {
			split = sentences
		}
	}
	return c.judged("context-relevance", map[string]any{"context": whole, "query": c.Row.Vars["query"]}, func(reply string) (result, error) {
		needed := slices.Compact(slices.Sorted(slices.Values(split(reply))))
		if strings.Contains(reply, "Insufficient Information") {
			needed = nil
		}
		return c.share("the relevance of the context", min(len(needed), len(units)), len(units))
	})
}

// contextFaithfulness grades which share of the output's statements the context supports.
func (c *call) contextFaithfulness(_ []string, whole string) (r result, err error) {
	own, _ := c.ownPrompt().([]any)
	own = append(own, nil, nil)
	var statements []string
	vars := javascript.Assign(c.Row.Vars, map[string]any{"question": c.Row.Vars["query"], "answer": parsed(c.output)})
	err = c.ask(promptText(own[0]), "context-statements", vars, func(reply string) error {
		statements = lines(reply)
		return nil
	})
	if err != nil {
		return r, err
	}
	vars = javascript.Assign(c.Row.Vars, map[string]any{"context": whole, "statements": statements})
	err = c.ask(promptText(own[1]), "context-faithfulness", vars, func(reply string) (fault error) {
		yes, all := countVerdicts(strings.ToLower(reply))
		if yes = max(0, yes-max(0, all-len(statements))); all > 0 {
			all = len(statements)
		}
		r, fault = c.share("the faithfulness", yes, all)
		return fault
	})
	return r, err
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
