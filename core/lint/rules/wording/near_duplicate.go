package wording

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "near-duplicate",
	Severity: diag.Info,
	Run: func(p *lint.Pass) {
		for _, g := range p.AllRubrics() {
			for j, other := range findAlike(g.Criteria) {
				c := g.Criteria[j]
				if other == nil || p.ADK != nil && isReportedPair(c, other) {
					continue
				}
				d := p.Report(c.TextSpan, "this says almost the same as `%s`", lint.Abbreviate(other.ID))
				d.Notes = []diag.Note{{Span: other.TextSpan, Message: "the other one"}}
				d.Fixes = fix.RemoveItem(p.Source, p.NodeAt(c.Span), "remove this one")
			}
		}
	},
})

// isReportedPair reports whether duplicate-rubric-id or equal-rubrics reports two rubrics of ADK.
func isReportedPair(a, b *rubric.Criterion) bool {
	return a.ID == b.ID || metric.Normalize(metric.Latest, a.Text) == metric.Normalize(metric.Latest, b.Text)
}

// findAlike returns for each criterion the first earlier one with almost the same words,
// or nil. Texts that share four of five words also share one of their rarest fifth, so
// only criteria with such a common word are compared.
func findAlike(criteria []*rubric.Criterion) []*rubric.Criterion {
	const most = 100 // criteria to compare with for each such word
	texts := indexWords(criteria)
	first, having := make([]*rubric.Criterion, len(criteria)), map[*word][]int{}
	for j, words := range texts {
		if len(words) < minWords {
			continue
		}
		var candidates []int
		for _, w := range words[:len(words)-(4*len(words)+4)/5+1] {
			candidates = append(candidates, having[w][:min(most, len(having[w]))]...)
			having[w] = append(having[w], j)
		}
		slices.Sort(candidates)
		for _, i := range slices.Compact(candidates) {
			if areAlike(texts[i], words) {
				first[j] = criteria[i]
				break
			}
		}
	}
	return first
}

// word is a word that occurs in some criteria.
type word struct {
	text     string
	isNumber bool
	count    int // number of criteria that contain it
}

func (w *word) compare(other *word) int {
	return cmp.Or(w.count-other.count, strings.Compare(w.text, other.text))
}

// indexWords returns the words of each criterion's text, roughly stemmed, and its numbers, the rarest
// first.
func indexWords(criteria []*rubric.Criterion) [][]*word {
	known, texts := map[string]*word{}, make([][]*word, len(criteria))
	for i, c := range criteria {
		for _, w := range strings.Fields(strings.ToLower(c.Text)) {
			w = strings.Trim(w, ".,;:!?\"'`()[]{}")
			if w == "" || englishWords[w] {
				continue
			}
			for _, ending := range []string{"ing", "ed", "es", "s", "e"} {
				if root, cut := strings.CutSuffix(w, ending); cut && len(root) >= 4 {
					w = root
					break
				}
			}
			if known[w] == nil {
				known[w] = &word{text: w, isNumber: strings.ContainsAny(w, "0123456789")}
			}
			if !slices.Contains(texts[i], known[w]) {
				known[w].count++
				texts[i] = append(texts[i], known[w])
			}
		}
	}
	for _, words := range texts {
		generic.SortStable(words, (*word).compare)
	}
	return texts
}

// minWords is the least number of words in a text that is compared.
const minWords = 3

// areAlike reports whether two texts share four of five words and all numbers. Both
// slices are sorted by word.compare.
func areAlike(a, b []*word) bool {
	shared, all := 0, len(a)+len(b)
	for len(a) > 0 && len(b) > 0 {
		order := a[0].compare(b[0])
		switch {
		case order == 0:
			shared++
			a, b = a[1:], b[1:]
			continue
		case order > 0:
			a, b = b, a
		}
		if a[0].isNumber {
			return false
		}
		a = a[1:]
	}
	if slices.ContainsFunc(slices.Concat(a, b), func(w *word) bool { return w.isNumber }) {
		return false
	}
	return 5*shared >= 4*(all-shared)
}
