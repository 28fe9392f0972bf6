package rules_test

import (
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
)

// TestFixesKeepTheRest: a fix leaves comments and anchors of other entries, quotes and line breaks as they
// are. Where it cannot, there is none.
func TestFixesKeepTheRest(t *testing.T) {
	const tests = "prompts: ['{{ input }}']\ntests:\n"
	for _, c := range []struct{ what, path, rule, body, fixed string }{
		{"the comment of the item before", "x.eval.yaml", "near-duplicate",
			"evalcases:\n  - id: a\n    expected_outcome: O\n    input: Q\n    rubrics: [\n      States a refund window of 30 days, # legal\n      It states a refund window of 30 days\n    ]\n", ""},
		{"an anchor that is used", "x.eval.yaml", "near-duplicate",
			"evalcases:\n  - id: a\n    expected_outcome: O\n    input: Q\n    rubrics:\n      - States a refund window of 30 days\n      - &window It states a refund window of 30 days\n" +
				"  - id: b\n    expected_outcome: O\n    input: Q\n    rubrics:\n      - *window\n", ""},
		{"the anchor of the next item", "x.eval.yaml", "broken-dependency",
			tests + "  - { id: a, vars: { input: A }, depends_on: [a, &b b], assert: [Greets] }\n  - { id: b, vars: { input: *b }, assert: [Greets] }\n",
			tests + "  - { id: a, vars: { input: A }, depends_on: [&b b], assert: [Greets] }\n  - { id: b, vars: { input: *b }, assert: [Greets] }\n"},
		{"the item before in one line", "x.eval.yaml", "broken-dependency",
			tests + "  - { id: a, vars: { input: A }, depends_on: [b, a], assert: [Greets] }\n  - { id: b, vars: { input: B }, assert: [Greets] }\n",
			tests + "  - { id: a, vars: { input: A }, depends_on: [b], assert: [Greets] }\n  - { id: b, vars: { input: B }, assert: [Greets] }\n"},
		{"quotes in JSON", "x.jsonl", "broken-dependency",
			"{\"id\": \"log-in\", \"criteria\": \"Greets\", \"input\": \"A\"}\n{\"id\": \"b\", \"criteria\": \"Greets\", \"input\": \"B\", \"depends_on\": [\"login\"]}\n",
			"{\"id\": \"log-in\", \"criteria\": \"Greets\", \"input\": \"A\"}\n{\"id\": \"b\", \"criteria\": \"Greets\", \"input\": \"B\", \"depends_on\": [\"log-in\"]}\n"},
		{"one id of two cases", "x.eval.yaml", "duplicate-case-id",
			"evalcases:\n  - &base\n    id: a\n    expected_outcome: O\n    input: Q\n  - <<: *base\n    input: R\n", ""},
		{"the comment after the last entry, and CRLF", "promptfooconfig.yaml", "never-fails",
			"prompts: ['{{ q }}']\r\nproviders: [echo]\r\ntests:\r\n  - vars: { q: Hi }\r\n    assert:\r\n      - type: llm-rubric\r\n        value: Greets # politely\r\n",
			"prompts: ['{{ q }}']\r\nproviders: [echo]\r\ntests:\r\n  - vars: { q: Hi }\r\n    assert:\r\n      - type: llm-rubric\r\n        value: Greets # politely\r\n        threshold: 0.5\r\n"},
		{"quotes that a pattern needs", "promptfooconfig.yaml", "invalid-pattern",
			"prompts: ['{{ q }}']\nproviders: [echo]\ntests: [{ vars: { q: Hi }, assert: [{ type: regex, value: '/[0-9]+: #/' }] }]\n",
			"prompts: ['{{ q }}']\nproviders: [echo]\ntests: [{ vars: { q: Hi }, assert: [{ type: regex, value: '[0-9]+: #' }] }]\n"},
		{"quotes of a file name in JSON", "promptfooconfig.json", "promptfoo-loss",
			"{\"prompts\": [\"{{ q }}\"], \"providers\": [\"echo\"], \"tests\": [{\"vars\": {\"q\": \"Hi\"}, \"assert\": [{\"type\": \"contains\", \"value\": \"a\"}]}], \"defaultTest\": \"d.yaml\"}\n",
			"{\"prompts\": [\"{{ q }}\"], \"providers\": [\"echo\"], \"tests\": [{\"vars\": {\"q\": \"Hi\"}, \"assert\": [{\"type\": \"contains\", \"value\": \"a\"}]}], \"defaultTest\": \"file://d.yaml\"}\n"},
		{"a key in JSON", "x.jsonl", "loader-loss",
			"{\"id\": \"a\", \"criteria\": \"Greets\", \"input\": \"A\", \"turns\": [{ \"input\": \"B\" }]}\n",
			"{\"id\": \"a\", \"criteria\": \"Greets\", \"input\": \"A\", \"turns\": [{ \"input\": \"B\" }], \"mode\": \"conversation\"}\n"},
		{"a text that is no number in JSON", "x.jsonl", "wrong-type",
			"{\"id\": \"a\", \"criteria\": \"Greets\", \"input\": \"A\", \"assertions\": [{\"type\": \"contains\", \"value\": \"x\", \"weight\": \"05\"}]}\n", ""},
		{"CRLF after a comment in JSON", "test_config.json", "not-json",
			"{\r\n  // strict\r\n  \"criteria\": { \"response_match_score\": 0.8 }\r\n}\r\n",
			"{\r\n  \"criteria\": { \"response_match_score\": 0.8 }\r\n}\r\n"},
	} {
		reported, fixed := false, ""
		for _, d := range analysis.Of(analysis.Input{Path: c.path, Text: c.body}).Diagnostics() {
			if d.Code != c.rule {
				continue
			}
			reported = true
			if len(d.Fixes) > 0 {
				fixed, _ = text.Apply(c.body, d.Fixes[0].Edits)
			}
		}
		if !reported || fixed != c.fixed {
			t.Errorf("%s: reported is %v; the fix gives\n%s\nwant\n%s", c.what, reported, strings.ReplaceAll(fixed, "\r", `\r`), c.fixed)
		}
	}
}
