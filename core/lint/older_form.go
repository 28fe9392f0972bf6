package lint

import (
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
)

var _ = register(Rule{
	ID:         "older-form",
	Summary:    "A file is in a form that ADK had before evalsets",
	Severity:   diag.Info,
	CanBeError: true,
	Why: `
ADK had two forms before evalsets: conversations by name, and one conversation as a list of turns. It still reads them, the
second one only in its own test runner, from files that are called ~.test.json~: ~adk eval~ breaks off at such a list, and
there this is an error. Neither form has rubrics or simulated users.
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
	Run: func(p *Pass) {
		items := p.Tree.Root().List()
		switch {
		case len(items) == 0:
		case p.hasADKRole(adk.Turns) && !strings.HasSuffix(strings.ToLower(p.Path), ".test.json"):
			d := p.Report(firstKeySpan(items[0]), "`adk eval` breaks off at a list of turns; only ADK's test runner reads one, from a `.test.json`")
			d.Severity = diag.Error
		case p.hasADKRole(adk.Turns, adk.Older):
			d := p.Report(firstKeySpan(items[0]), "this is a form that ADK had before evalsets")
			d.Tags = []diag.Tag{diag.Deprecated}
		}
	},
})
