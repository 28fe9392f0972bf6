package evalset

import (
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
)

var _ = lint.Register(lint.Rule{
	ID:       "older-form",
	Summary:  "A file has a format that ADK used before evalsets",
	Severity: diag.Info,
	Highest:  diag.Error,
	Why: `
ADK had two formats before evalsets: conversations by name, and one conversation as a list of turns. It still reads the
first. Only ADK's test runner reads the second, from files named ~.test.json~; ~adk eval~ stops at such a list, so this is
an error elsewhere. Neither format has rubrics or simulated users.
`,
	Bad: `
[
  { ⟦"query"⟧: "What is my balance?", "reference": "It is 120." }
]
`,
	Good: `
{
  "eval_set_id": "banking",
  "eval_cases": [
    {
      "eval_id": "balance",
      "conversation": [
        {
          "user_content": { "parts": [{ "text": "What is my balance?" }] },
          "final_response": { "parts": [{ "text": "It is 120." }] }
        }
      ]
    }
  ]
}
`,
	FileName:     "banking.evalset.json",
	SiblingFiles: map[string]string{adk.ConfigName: `{"criteria": {"response_match_score": 0.8}}`},
	Run: func(p *lint.Pass) {
		items := p.Tree.Root().List()
		switch {
		case len(items) == 0:
		case p.HasADKRole(adk.Turns) && !strings.HasSuffix(strings.ToLower(p.Path), ".test.json"):
			d := p.Report(firstKeySpan(items[0]), "`adk eval` stops at a list of turns; only ADK's test runner reads one, from a `.test.json`")
			d.Severity = diag.Error
		case p.HasADKRole(adk.Turns, adk.Older):
			d := p.Report(firstKeySpan(items[0]), "this is a format that ADK used before evalsets")
			d.Tags = []diag.Tag{diag.Deprecated}
		}
	},
})
