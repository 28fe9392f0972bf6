package draft

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
)

// maxRepairs is how often a judge is asked to correct its reply.
const maxRepairs = 2

// AskCriteria asks a judge for criteria for a case. When the reply is unusable, or a rule objects to
// it, the judge is asked again with the problems listed, at most maxRepairs times.
func AskCriteria(ctx context.Context, j judge.Judge, a *analysis.Analysis, c *rubric.Case) ([]Criterion, error) {
	ip, err := findInsertionPoint(a, c)
	if err != nil {
		return nil, err
	}
	return askUsable(ctx, j, ip.draftCase(), func(criteria []Criterion) (problems []string) {
		_, after, err := ip.insertCriteria(a, ip.toRubrics(criteria))
		if err != nil {
			return nil // not the judge's fault
		}
		flagged, _ := newFindings(a, after, findInsertedCase(after, c))
		for _, d := range flagged {
			problems = append(problems, d.Message)
		}
		return problems
	})
}

// askUsable asks until the criteria are usable and review, which sees them in place, returns no
// problems. When attempts run out, it returns the last usable reply.
func askUsable(ctx context.Context, j judge.Judge, c *rubric.Case, review func([]Criterion) []string) (usable []Criterion, err error) {
	var problems []string
	for attempt := range maxRepairs + 1 {
		q := Question(c, attempt, problems)
		q.Usable = isUsableReply
		a, err := j.Ask(ctx, q)
		if err != nil {
			return nil, fmt.Errorf("draft criteria for `%s`: %w", c.ID, err)
		}
		criteria, err := DecodeCriteria(a.Text)
		if err != nil {
			problems = []string{err.Error()}
			continue
		}
		if problems = Problems(criteria); len(problems) > 0 {
			continue
		}
		usable = criteria
		if problems = append(softProblems(criteria), review(criteria)...); len(problems) == 0 {
			break
		}
	}
	if usable == nil {
		return nil, fmt.Errorf("draft criteria for `%s`: none of %d replies was usable: %s", c.ID, maxRepairs+1, strings.Join(problems, "; "))
	}
	return usable, nil
}

// isUsableReply reports whether a reply holds usable criteria. It ignores soft problems.
func isUsableReply(reply string) bool {
	criteria, err := DecodeCriteria(reply)
	return err == nil && len(Problems(criteria)) == 0
}

const systemPrompt = `You write grading rubrics for a test of a language model. From the expected outcome of one case you derive criteria, each a single statement about the answer that a reader can confirm or deny without further knowledge. Reply with one JSON object and nothing else:
{"rubrics": [{"id": "short-kebab-case", "expected_outcome": "One checkable statement", "weight": 1.0, "required": true}]}`

// replySchema is the JSON Schema of the reply.
const replySchema = `{"type":"object","required":["rubrics"],"additionalProperties":false,"properties":{"rubrics":{"type":"array","minItems":3,"maxItems":7,"items":{"type":"object","required":["id","expected_outcome","weight","required"],"additionalProperties":false,"properties":{"id":{"type":"string"},"expected_outcome":{"type":"string"},"weight":{"type":"number","exclusiveMinimum":0},"required":{"type":"boolean"}}}}}}`

// Question returns the question for criteria of a case. On a retry, problems says what was wrong
// with the previous reply, and attempt counts the retries.
func Question(c *rubric.Case, attempt int, problems []string) judge.Question {
	var b strings.Builder
	b.WriteString("Write 3 to 7 criteria. Each names one thing, specific enough that two readers agree on it. Give what matters most a higher weight, and mark as required only what no good answer may miss.\n")
	writeSection(&b, "Expected outcome", c.ExpectedOutcome)
	writeSection(&b, "Question", c.Question)
	writeSection(&b, "Reference answer", c.ReferenceAnswer)
	if len(problems) > 0 {
		b.WriteString("\nYour last reply could not be used: " + strings.Join(problems, "; ") + ". Reply with the corrected JSON object only.\n")
	}
	return judge.Question{
		System:  systemPrompt,
		User:    b.String(),
		Schema:  json.RawMessage(replySchema),
		Brief:   judge.Brief{Question: c.Question, Expected: c.ExpectedOutcome, Reference: c.ReferenceAnswer},
		Attempt: attempt,
	}
}

func writeSection(b *strings.Builder, title, body string) {
	if body = strings.TrimSpace(body); body != "" {
		b.WriteString("\n## " + title + "\n" + body + "\n")
	}
}

// A Criterion is one proposed criterion.
type Criterion struct {
	ID              string  `json:"id"`
	ExpectedOutcome string  `json:"expected_outcome"`
	Weight          float64 `json:"weight"`
	Required        bool    `json:"required"`
	rubricType      string  // of an ADK rubric, if it is not about the final response
}

// The number of criteria a judge is asked for. A different number is a soft problem: the
// reference implementation does not enforce it.
const minCriteria, maxCriteria = 3, 7

// maxIDLength is the maximum length of an id in runes.
const maxIDLength = 60

// numberedID matches ids that say nothing about their criterion.
var numberedID = pattern.New(`(?i)^(?:rubric|criterion|criteria|item|check)?[-_ ]?\d+$`)

// Problems returns why criteria cannot be used, one sentence each: empty, unreadable or duplicate
// ids, empty texts, and weights that are not above 0.
func Problems(criteria []Criterion) []string {
	var problems []string
	seen := map[string]bool{}
	for i, c := range criteria {
		switch {
		case strings.TrimSpace(c.ID) == "":
			problems = append(problems, fmt.Sprintf("criterion %d has no id", i+1))
		case seen[c.ID]:
			problems = append(problems, fmt.Sprintf("the id `%s` occurs twice", c.ID))
		case strings.ContainsFunc(c.ID, unicode.IsSpace) || strings.ContainsFunc(c.ID, unicode.IsControl) || utf8.RuneCountInString(c.ID) > maxIDLength:
			problems = append(problems, fmt.Sprintf("the id of criterion %d is not a short word or hyphenated words", i+1))
		}
		seen[c.ID] = true
		if strings.TrimSpace(c.ExpectedOutcome) == "" {
			problems = append(problems, fmt.Sprintf("criterion `%s` has no text", c.ID))
		}
		if !(c.Weight > 0) {
			problems = append(problems, fmt.Sprintf("the weight of `%s` must be above 0, got %v", c.ID, c.Weight))
		}
	}
	return problems
}

// softProblems returns problems that justify another attempt but do not make criteria unusable.
func softProblems(criteria []Criterion) (problems []string) {
	if n := len(criteria); n < minCriteria || n > maxCriteria {
		problems = append(problems, fmt.Sprintf("there should be %d to %d criteria, not %d", minCriteria, maxCriteria, n))
	}
	for _, c := range criteria {
		if numberedID().MatchString(c.ID) {
			problems = append(problems, fmt.Sprintf("the id `%s` says nothing about its criterion", c.ID))
		}
	}
	return problems
}

// DecodeCriteria reads a model's reply, {"rubrics":[{id, expected_outcome, weight, required}]}, which
// must satisfy [grade.DecodeOneValue]. The defaults are weight 1 and required true.
func DecodeCriteria(reply string) ([]Criterion, error) {
	value, err := grade.DecodeOneValue(reply)
	if err != nil {
		return nil, fmt.Errorf("the reply is not the requested JSON object: %w", err)
	}
	text, _ := json.Marshal(value) // as it was decoded
	var shape struct {
		Rubrics *[]struct {
			ID              *string  `json:"id"`
			ExpectedOutcome *string  `json:"expected_outcome"`
			Weight          *float64 `json:"weight"`
			Required        *bool    `json:"required"`
		} `json:"rubrics"`
	}
	if err := json.Unmarshal(text, &shape); err != nil {
		var is *json.UnmarshalTypeError
		if errors.As(err, &is) {
			err = fmt.Errorf("%s is of type %s", cmp.Or(is.Field, "it"), is.Value)
		}
		return nil, fmt.Errorf("the reply is not the requested JSON object: %w", err)
	}
	if shape.Rubrics == nil {
		return nil, errors.New("the reply has no list `rubrics`")
	}
	if len(*shape.Rubrics) == 0 {
		return nil, errors.New("the reply has no criteria")
	}
	criteria := make([]Criterion, 0, len(*shape.Rubrics))
	for i, item := range *shape.Rubrics {
		if item.ID == nil || item.ExpectedOutcome == nil {
			return nil, fmt.Errorf("item %d of `rubrics` needs a string `id` and a string `expected_outcome`", i+1)
		}
		weight, required := cmp.Or(item.Weight, new(1.0)), cmp.Or(item.Required, new(true))
		criteria = append(criteria, Criterion{ID: *item.ID, ExpectedOutcome: *item.ExpectedOutcome, Weight: *weight, Required: *required})
	}
	return criteria, nil
}
