// Package lint runs lint rules: what a rule is, what it gets, how it reports, and which of its
// findings a comment or a setting silences. The rules are in core/lint/rules, by area.
//
// To add a rule, add `var _ = lint.Register(pages, lint.Rule{…})` to an area, and its page, a Markdown file. The registry is sorted by id, so the order of compilation does not matter.
// Registration is all that happens at program start.
//
// Rules turn what other packages find into messages: syntax problems of yaml, mismatches of
// conform, losses of a dialect's lowering, and the meaning of a rubric in the domain. Only this
// package and its rules create the diagnostics of rules.
//
//	rule.go       a rule and its registration, and results that several rules or passes use
//	pass.go       what a rule gets, and how it reports
//	facts.go      findings that only all chunks of a file decide
//	ignore.go     comments that silence diagnostics
//	config.go     severities from settings, and where a file's own JSON Schema comes from
//	fix           the fixes that several rules offer
package lint

import (
	"cmp"
	"embed"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/project"
	"github.com/rubric-ls/rubric/core/generic"
)

// Rule is one lint rule with its page and examples.
type Rule struct {
	ID       string // kebab-case; names a fact about the file and never changes
	Severity diag.Severity
	Highest  diag.Severity // of its diagnostics, if some are above Severity

	// AboutProfile marks a rule about the profiles that reproduce a runner's numbers. It is off
	// unless the project sets such a profile or the rule's severity.
	AboutProfile bool

	Summary string // one sentence for lists, no final period
	Why     string // Markdown: the consequence and the remedy

	// Bad is an example. The rule reports exactly the places marked with ⟦ ⟧; an empty ⟦⟧
	// marks an empty range. Only the rules in AlsoReports report anything else above info. Good is
	// an example without diagnostics.
	Bad, Good    string
	AlsoReports  []string // rules that the examples cannot avoid
	FileName     string   // of the examples; "" for an eval file
	SiblingFiles map[string]string
	LoadSchema   SchemaLoader // for JSON Schemas in SiblingFiles

	Run        func(*Pass)
	Unreadable bool // about text that cannot be read: the runner refuses the file, so that ignoring it does not help
	RunsLast   bool // needs the diagnostics of the other rules
}

var registry []*Rule

// Register adds a rule. The file <id>.md in pages is its page: its summary as the title, the text of
// Why, and code blocks. The first block is Bad, the second is Good, and further ones are
// SiblingFiles. A word after the language names the file.
func Register(pages embed.FS, r Rule) *Rule {
	page, err := pages.ReadFile(r.ID + ".md")
	if err != nil {
		panic(err)
	}
	r.readPage(string(page))
	registry = append(registry, &r)
	project.AddRule(r.ID, r.Summary, r.Severity.String())
	return &r
}

func (r *Rule) readPage(page string) {
	title, rest, _ := strings.Cut(page, "\n\n")
	r.Summary = strings.TrimPrefix(title, "# ")
	why, rest, _ := strings.Cut(rest, "\n\n## ")
	r.Why = strings.TrimSpace(why)
	for block := 0; ; block++ {
		_, after, found := strings.Cut(rest, "\n```")
		if !found {
			return
		}
		info, after, _ := strings.Cut(after, "\n")
		_, name, _ := strings.Cut(info, " ")
		var body string
		body, rest, _ = strings.Cut(after, "```\n")
		switch block {
		case 0:
			r.FileName, r.Bad = name, body
		case 1:
			r.Good = body
		default:
			if r.SiblingFiles == nil {
				r.SiblingFiles = map[string]string{}
			}
			r.SiblingFiles[name] = body
		}
	}
}

// All returns every rule, sorted by id.
var All = sync.OnceValue(func() []*Rule {
	all := slices.Clone(registry)
	generic.SortStable(all, func(a, b *Rule) int { return cmp.Compare(a.ID, b.ID) })
	return all
})

// Find returns the rule with an id, or nil.
func Find(id string) *Rule {
	for _, r := range All() {
		if r.ID == id {
			return r
		}
	}
	return nil
}

// DefaultSeverity describes the severity that the rule has without settings.
func (r *Rule) DefaultSeverity() string {
	if r.AboutProfile {
		return "off"
	}
	return r.Severity.String()
}

// RuleIDs returns the ids of all rules, in the order of All.
var RuleIDs = sync.OnceValue(func() []string { return generic.Map(All(), func(r *Rule) string { return r.ID }) })

// PageURL returns the URL of a rule's page, which `rubric explain` prints too. An internal
// error has no page; its URL is the issue tracker.
func PageURL(id string) string {
	if id == diag.InternalError {
		return diag.IssuesAddress
	}
	return "https://github.com/rubric-ls/rubric/blob/main/core/lint/README.md#" + id
}

// ParseMarkers splits an example into its text and the spans that ⟦ ⟧ mark.
func ParseMarkers(example string) (body string, marks [][2]int) {
	var b strings.Builder
	for {
		lead, rest, found := strings.Cut(example, "⟦")
		marked, tail, closed := strings.Cut(rest, "⟧")
		if !found || !closed {
			b.WriteString(example)
			return b.String(), marks
		}
		b.WriteString(lead)
		start := b.Len()
		b.WriteString(marked)
		marks = append(marks, [2]int{start, b.Len()})
		example = tail
	}
}

// AtLeast returns severities that turn off all rules whose diagnostics are less severe than
// least. Those found as severe as that stay the same.
func AtLeast(least diag.Severity, severities map[string]diag.Severity) map[string]diag.Severity {
	all := maps.Clone(severities)
	if all == nil {
		all = map[string]diag.Severity{}
	}
	for _, r := range All() {
		highest, changed := severities[r.ID]
		if !changed {
			highest = cmp.Or(r.Highest, r.Severity)
		}
		if highest > least {
			all[r.ID] = 0
		}
	}
	return all
}

// PerPass returns compute with the result remembered in each pass, for values that several
// rules use.
func PerPass[T any](compute func(*Pass) T) func(*Pass) T {
	key := new(byte)
	return func(p *Pass) T {
		if known, ok := p.values[key]; ok {
			return known.(T)
		}
		if p.values == nil {
			p.values = map[any]any{}
		}
		value := compute(p)
		p.values[key] = value
		return value
	}
}

// Cache holds results that rules need again for the next version of a file. It is safe for
// concurrent use.
type Cache struct{ values sync.Map } // functions of [PerCache], by their keys

// PerCache returns compute with the result remembered in the cache of the passes. A cache belongs
// to one state of the files in the folder, so compute may read them.
func PerCache[T any](compute func(*Pass) T) func(*Pass) T {
	key := new(byte)
	return func(p *Pass) T {
		once, _ := p.Cache.values.LoadOrStore(key, sync.OnceValue(func() T { return compute(p) }))
		return once.(func() T)()
	}
}
