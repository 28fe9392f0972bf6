package adk_test

import (
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/adk"
)

// TestSplitCases checks which layouts of a file can be split, and that the cases touch.
func TestSplitCases(t *testing.T) {
	const cases = 9
	set, _ := shop(10 * cases)
	one := strings.NewReplacer("\n", "", "  ", "").Replace(set)
	for name, c := range map[string]struct {
		body  string
		whole bool // cannot be split
	}{
		"as ADK writes it":        {set, false},
		"in one line":             {one, true},
		"a case to a line":        {strings.ReplaceAll(one, `{"eval_id"`, "\n{\"eval_id\""), true},
		"with comments":           {strings.ReplaceAll(set, "\n    {\n", "\n    // one\n    {\n"), false},
		"Windows' breaks":         {strings.ReplaceAll(set, "\n", "\r\n"), false},
		"more after the list":     {strings.TrimSuffix(set, "\n}\n") + ",\n  \"more\": \"x\"\n}\n", false},
		"more before the list":    {"{\n  \"before\": \"x\"," + set[1:], false},
		"a comment of two lines":  {strings.Replace(set, "\n    {\n      \"eval_id\": \"case_7\"", "\n    /* a\n b */\n    {\n      \"eval_id\": \"case_7\"", 1), true},
		"a list that is not over": {set[:len(set)-6], true},
		"no list":                 {strings.ReplaceAll(set, "eval_cases", "evil_cases"), true},
		"a mark at the start":     {"\uFEFF" + set, true},
		"nothing":                 {"", true},
	} {
		l := adk.SplitCases(c.body)
		if (l == nil) != c.whole || l != nil && len(l.Items) != cases {
			t.Errorf("%s: split %t", name, l != nil)
			continue
		}
		for i := 1; l != nil && i < cases; i++ {
			if l.Items[i-1].End != l.Items[i].Start {
				t.Errorf("%s: case %d is %v, after %v", name, i, l.Items[i], l.Items[i-1])
			}
		}
	}
}
