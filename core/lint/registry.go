package lint

import (
	"sort"
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/core/diag"
)

var registry []*Rule

// sortedRules orders the registry once every file has added its rule.
var sortedRules = sync.OnceValue(func() []*Rule {
	rules := append([]*Rule(nil), registry...)
	sort.Slice(rules, func(i, j int) bool { return rules[i].ID < rules[j].ID })
	return rules
})

// register registers a rule. Go's raw strings hold no backtick, so a page writes ~
// for it; an example starts on the line after its opening quote.
func register(r Rule) *Rule {
	r.Why = strings.TrimSpace(strings.ReplaceAll(r.Why, "~", "`"))
	r.Bad, r.Good = strings.TrimPrefix(r.Bad, "\n"), strings.TrimPrefix(r.Good, "\n")
	registry = append(registry, &r)
	return &r
}

// All is every rule, sorted by id.
func All() []*Rule { return sortedRules() }

// Find is the rule with an id, or nil.
func Find(id string) *Rule {
	for _, r := range All() {
		if r.ID == id {
			return r
		}
	}
	return nil
}

// PageURL is where the page of the rule with an id is to be read; `rubric
// explain` prints the same. A fault of ours has no page, but a place to report it.
func PageURL(id string) string {
	if id == diag.InternalError {
		return diag.IssuesAddress
	}
	return "https://github.com/rubric-ls/rubric/blob/main/core/lint/README.md#" + id
}

// ParseMarkers splits an example into its text and the spans that it marks with ⟦ ⟧.
func ParseMarkers(example string) (body string, marks [][2]int) {
	var b strings.Builder
	for {
		i := strings.Index(example, "⟦")
		if i < 0 {
			break
		}
		j := strings.Index(example[i:], "⟧")
		if j < 0 {
			break
		}
		b.WriteString(example[:i])
		start := b.Len()
		b.WriteString(example[i+len("⟦") : i+j])
		marks = append(marks, [2]int{start, b.Len()})
		example = example[i+j+len("⟧"):]
	}
	b.WriteString(example)
	return b.String(), marks
}
