package grade_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

func assertion(kind string, value any, flags string) *rubric.Grader {
	a := &rubric.Assertion{Type: kind, Value: value, Flags: flags}
	return &rubric.Grader{Name: kind, Kind: rubric.Deterministic, Weight: 1, Assert: a}
}

// TestAssertions: an assertion that can be held against an answer is 1 or 0 in
// every profile; one that cannot is ungraded, with the reason.
func TestAssertions(t *testing.T) {
	const answer = "\ufeff The Refund takes 14 days.\nAsk again: +49\u202f30. \n"
	texts := func(all ...any) []any { return all }
	for _, c := range []struct {
		name, kind string
		value      any
		flags      string
		says       string // the only finding: "+" for a hit, "-" for a miss, "?" for the reason it is ungraded
	}{
		{"found", rubric.Contains, "14 days", "", "+it contains `14 days`"},
		{"not found", rubric.Contains, "refund", "", "-it does not contain `refund`"},
		{"a number", rubric.Contains, 14.0, "", "+it contains `14`"},
		{"a list of one", rubric.Contains, texts("days"), "", "+it contains `days`"},
		{"a list of two", rubric.Contains, texts("days", "x"), "", "?its `value` is a list of 2, where `contains` takes one text"},
		{"no value", rubric.Contains, nil, "", "?its `value` is missing; it must be a text"},
		{"an object", rubric.Contains, map[string]any{}, "", "?its `value` is an object, not a text"},
		{"any letter case", rubric.IContains, "REFUND", "", "+it contains `REFUND`, in any letter case"},
		{"any letter case, not found", rubric.IContains, "REFUNDS", "", "-it does not contain `REFUNDS`, in any letter case"},
		{"any", rubric.ContainsAny, texts("weeks", "days"), "", "+it contains `days`"},
		{"none of any", rubric.ContainsAny, texts("weeks", "Days"), "", "-it contains none of `weeks`, `Days`"},
		{"any of one text", rubric.ContainsAny, "days", "", "+it contains `days`"},
		{"any of nothing", rubric.ContainsAny, texts(), "", "?its `value` is an empty list, so there is nothing to look for"},
		{"any, letter case aside", rubric.IContainsAny, texts("weeks", "DAYS"), "", "+it contains `DAYS`, in any letter case"},
		{"all", rubric.ContainsAll, texts("Refund", "days"), "", "+it contains `Refund`, `days`"},
		{"not all", rubric.ContainsAll, texts("Refund", "weeks", "hours"), "", "-it does not contain `weeks`, `hours`"},
		{"all of what is no text", rubric.ContainsAll, texts("Refund", nil), "", "?its `value` is missing; it must be a text"},
		{"all, letter case aside", rubric.IContainsAll, texts("refund", "AGAIN"), "", "+it contains `refund`, `AGAIN`, in any letter case"},
		{"start", rubric.StartsWith, " The ", "", "+it starts with ` The `"},
		{"not the start", rubric.StartsWith, "Refund", "", "-it does not start with `Refund`"},
		{"end", rubric.EndsWith, "30.", "", "+it ends with `30.`"},
		{"not the end", rubric.EndsWith, "30", "", "-it does not end with `30`"},
		{"no start", rubric.StartsWith, nil, "", "?its `value` is missing; it must be a text"},
		{"equal", rubric.Equals, "The Refund takes 14 days.\nAsk again: +49\u202f30.", "", "+it is `The Refund takes 14 days.\nAsk again: +49\u202f30.`"},
		{"not equal", rubric.Equals, "the refund", "", "-it is not `the refund`"},
		{"pattern", rubric.Regex, `\d+ days\.$`, "m", "+it matches `/\\d+ days\\.$/m`"},
		{"pattern without its flag", rubric.Regex, `days\.$`, "", "-it does not match `/days\\.$/`"},
		{"flags that change nothing", rubric.Regex, "REFUND.*again", "gius", "+it matches `/REFUND.*again/gius`"},
		{"code points", rubric.Regex, `9\u202f3|\\u{1}`, "", "+it matches `/9\\u202f3|\\\\u{1}/`"},
		{"code points in braces", rubric.Regex, `9\u{202f}3`, "u", "+it matches `/9\\u{202f}3/u`"},
		{"an unknown flag", rubric.Regex, "x", "v", "!the flag `v` of the regular expression is not supported"},
		{"lookaround", rubric.Regex, `(?<!un)(?=re)RE`, "i", "+it matches `/(?<!un)(?=re)RE/i`"},
		{"an invalid pattern", rubric.Regex, "(?i)x", "", "!invalid regular expression: invalid group"},
		{"no pattern", rubric.Regex, nil, "", "!its `value` is missing; it must be a text"},
		{"prose", rubric.IsJSON, nil, "", "-it is not JSON: invalid character 'ï' looking for beginning of value"},
		{"unheard of", "rhymes", "x", "", "?`rhymes` is not a known assertion"},
	} {
		t.Run(c.kind+"/"+c.name, func(t *testing.T) {
			for _, profile := range score.Profiles {
				r := graded(t, profile, &rubric.Case{}, assertion(c.kind, c.value, c.flags), grade.Submission{Answer: answer})
				var says string
				switch {
				case r.Ungraded != "":
					says = "?" + r.Ungraded
				case number(r) == 1 && r.Verdict == score.Pass && len(r.Hits) == 1:
					says = "+" + r.Hits[0]
				case number(r) == 0 && r.Verdict == score.Fail && len(r.Misses) == 1:
					says = "-" + r.Misses[0]
				}
				want := c.says
				if why, isUnusable := strings.CutPrefix(want, "!"); isUnusable && profile.IsReference() {
					want = "-" + why
				} else if isUnusable {
					want = "?" + why
				}
				if says != want {
					t.Errorf("%s: %q, want %q", profile, says, want)
				}
			}
		})
	}
	if r := graded(t, score.Spec, &rubric.Case{}, &rubric.Grader{Kind: rubric.Deterministic}, grade.Submission{}); r.Ungraded != "it has no text to look for" {
		t.Errorf("without an assertion: %+v", r)
	}
}

func TestNegatedAndRequired(t *testing.T) {
	g := assertion(rubric.Contains, "sorry", "")
	g.Negate, g.Required = true, true
	for _, profile := range score.Profiles {
		good := graded(t, profile, &rubric.Case{}, g, grade.Submission{Answer: "done"})
		if number(good) != 1 || good.Verdict != score.Pass || !slices.Equal(good.Hits, []string{"it does not contain `sorry`"}) || !good.Gates[0].Met {
			t.Errorf("%s: %+v", profile, good)
		}
		bad := graded(t, profile, &rubric.Case{}, g, grade.Submission{Answer: "sorry"})
		if number(bad) != 0 || bad.Verdict != score.Fail || bad.Gates[0].Met || bad.Gates[0].ID != "contains" || !bad.Gates[0].Whole {
			t.Errorf("%s: %+v", profile, bad)
		}
	}
}

func TestKindsWithHyphens(t *testing.T) {
	for _, kind := range []rubric.Kind{"latency", "cost", "token-usage", "execution-metrics"} {
		r := graded(t, score.Spec, &rubric.Case{}, &rubric.Grader{Name: "g", Kind: kind}, grade.Submission{})
		if r.Ungraded != "it sets no limit" {
			t.Errorf("%s: %+v", kind, r)
		}
	}
}

func TestIsJSON(t *testing.T) {
	numbers := func(schema, document any) ([]string, error) {
		if _, ok := schema.(map[string]any); !ok {
			return nil, errors.New("not an object")
		}
		least, exact := schema.(map[string]any)["minimum"].(json.Number)
		if _, number := document.(json.Number); !number || !exact {
			return slices.Repeat([]string{"fault"}, len(fmt.Sprint(document))), nil
		}
		if document.(json.Number) < least {
			return []string{"too small"}, nil
		}
		return nil, nil
	}
	object := map[string]any{"minimum": 2}
	for _, c := range []struct {
		name, answer string
		schema       any
		port         grade.ValidateSchema
		score        float64
		says         string // the last finding or the reason it is ungraded
	}{
		{"well formed", " {\"a\": [1, null]}\n", nil, nil, 1, "it is JSON"},
		{"a scalar", "3", nil, nil, 1, "it is JSON"},
		{"nothing", " ", nil, nil, 0, "it is not JSON: it is empty"},
		{"two values", "1 2", nil, nil, 0, "it is not JSON: there is text after its end"},
		{"fenced", "```json\n1\n```", nil, nil, 0, "it is not JSON: invalid character '`' looking for beginning of value"},
		{"no port", "3", object, nil, 0, "its JSON Schema cannot be applied here; use `rubric run`"},
		{"not JSON, with a schema", "x", object, numbers, 0, "it is not JSON: invalid character 'x' looking for beginning of value"},
		{"valid", "3", object, numbers, 1, "it is JSON and valid for the schema"},
		{"not valid", "1", object, numbers, 0, "too small"},
		{"as many faults as are shown", `"8 faults"`, object, numbers, 0, "fault"},
		{"more faults", `"eleven long"`, object, numbers, 0, "and 3 more"},
		{"a schema in text", "3", `{"minimum": 2}`, numbers, 1, "it is JSON and valid for the schema"},
		{"a text that is no schema", "3", "schema.json", numbers, 0, "its JSON Schema cannot be used: invalid character 's' looking for beginning of value"},
		{"a schema that cannot be used", "3", true, numbers, 0, "its JSON Schema cannot be used: not an object"},
		{"a schema that JSON has not", "3", map[string]any{"x": func() {}}, numbers, 0, "its JSON Schema cannot be used: json: unsupported type: func()"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, sub := assertion(rubric.IsJSON, c.schema, ""), grade.Submission{Answer: c.answer}
			r := grade.Grade(t.Context(), grade.Ports{Schema: c.port}, &rubric.Case{}, g, sub).Result
			lines := append(append(slices.Clone(r.Hits), r.Misses...), r.Ungraded)
			if r.Ungraded == "" {
				lines = lines[:len(lines)-1]
			}
			if number(r) != c.score || lines[len(lines)-1] != c.says {
				t.Errorf("%v %q, want %v %q", number(r), lines, c.score, c.says)
			}
			reference := graded(t, score.AgentVHead, &rubric.Case{}, g, sub)
			if reference.Ungraded != "" || (number(reference) == 1) != json.Valid([]byte(c.answer)) {
				t.Errorf("the reference looks at the form alone: %+v", reference)
			}
		})
	}
}

func TestAssertSet(t *testing.T) {
	yes, no := assertion(rubric.Contains, "a", ""), assertion(rubric.Contains, "b", "")
	idle := assertion(rubric.Contains, "c", "")
	idle.Weight = 0
	open := &rubric.Grader{Name: "open", Kind: rubric.External, Weight: 1, Assert: &rubric.Assertion{Type: "similar"}}
	set := func(threshold *float64, members ...*rubric.Grader) *rubric.Grader {
		return &rubric.Grader{Name: "set", Kind: rubric.AssertSet, Weight: 1, Threshold: threshold, Members: members}
	}
	for _, c := range []struct {
		name    string
		g       *rubric.Grader
		score   float64
		verdict score.Verdict
		open    bool // by the rules
	}{
		{"all", set(nil, yes, idle), 1, score.Pass, false},
		{"not all", set(nil, yes, no), 0.5, score.Fail, false},
		{"enough", set(at(0.5), yes, no), 0.5, score.Pass, false},
		{"sets in sets", set(at(0.5), set(nil, yes), set(at(1), yes, no)), 0.75, score.Pass, false},
		{"one that nobody can grade", set(at(0.5), yes, open), 0.5, score.Pass, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			head := graded(t, score.AgentVHead, &rubric.Case{}, c.g, grade.Submission{Answer: "a"})
			if number(head) != c.score || head.Verdict != c.verdict {
				t.Errorf("head: %v %s", number(head), head.Verdict)
			}
			out := grade.Grade(t.Context(), grade.Ports{}, &rubric.Case{}, c.g, grade.Submission{Answer: "a"})
			r := out.Result
			if (r.Ungraded != "") != c.open || !c.open && (number(r) != c.score || r.Verdict != c.verdict) || c.open && r.Verdict != score.Ungraded {
				t.Errorf("spec: %v %s %q", number(r), r.Verdict, r.Ungraded)
			}
			if out.Combine != "assert_set" || len(out.Members) != 2 {
				t.Errorf("%s of %d members", out.Combine, len(out.Members))
			}
		})
	}
	if r := graded(t, score.AgentVHead, &rubric.Case{}, set(nil), grade.Submission{}); r.Ungraded != "it has no members" {
		t.Errorf("an empty set: %+v", r)
	}
}

func TestCompositeThreshold(t *testing.T) {
	yes, no := assertion(rubric.Contains, "a", ""), assertion(rubric.Contains, "b", "")
	no.Required = true
	half := composite(rubric.Aggregator{Type: "threshold", Threshold: at(0.5)}, yes, no)
	all := composite(rubric.Aggregator{Type: "threshold"}, yes, no)
	for _, profile := range []score.Profile{score.Spec, score.AgentV4, score.AgentVHead} {
		if r := graded(t, profile, &rubric.Case{}, half, grade.Submission{Answer: "a"}); number(r) != 0.5 || r.Verdict != score.Pass || len(r.Gates) != 0 {
			t.Errorf("%s: half of them: %+v", profile, r)
		}
		if r := graded(t, profile, &rubric.Case{}, all, grade.Submission{Answer: "a"}); number(r) != 0.5 || r.Verdict != score.Fail {
			t.Errorf("%s: all of them, as none is said: %+v", profile, r)
		}
	}
}
