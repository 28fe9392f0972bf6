package draft

import (
	"encoding/json"
	"strings"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
)

const systemPrompt = `You write grading rubrics for a test of a language model. From the expected outcome of one case you derive criteria, each a single statement about the answer that a reader can confirm or deny without further knowledge. Reply with one JSON object and nothing else:
{"rubrics": [{"id": "short-kebab-case", "expected_outcome": "One checkable statement", "weight": 1.0, "required": true}]}`

const replySchema = `{"type":"object","required":["rubrics"],"additionalProperties":false,"properties":{"rubrics":{"type":"array","minItems":3,"maxItems":7,"items":{"type":"object","required":["id","expected_outcome","weight","required"],"additionalProperties":false,"properties":{"id":{"type":"string"},"expected_outcome":{"type":"string"},"weight":{"type":"number","exclusiveMinimum":0},"required":{"type":"boolean"}}}}}}`

// Question asks a judge for criteria for a case. After a reply that could not be
// used, faults say why, and attempt counts them.
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
