package offline

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/pattern"
)

var (
	quotes   = pattern.New("`([^`]+)`|\"([^\"]+)\"|“([^”]+)”|«([^»]+)»|„([^“”]+)[“”]|「([^」]+)」|『([^』]+)』|‘([^’]+)’|\\B'([^'\\n]+)'\\B")
	examples = pattern.New(`(?i)\((?:e\.?\s?g\.?|for example|for instance|such as|like)[^()]*\)`)
	either   = pattern.New(`(?i)^\s*(?:,|/|,?\s*or)\s*$`)
)

// wish is a criterion on its way: what has been dealt with is blanked, so that
// places stay.
type wish struct {
	raw, rest string
	quoted    []quote
}

type quote struct {
	start, end int
	text       string
	code       bool
}

// longest is how much of a wish is looked at, in bytes: none that a person wrote
// is longer, and the time it takes grows with the square.
const longest = 8 << 10

// look searches the submission for evidence of a wish.
func (s *submission) look(text string) *evidence {
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "")
	}
	e := &evidence{}
	if s.blank() {
		e.must("any text", false)
		return e
	}
	w := &wish{raw: text, rest: text}
	for _, at := range examples().FindAllStringIndex(w.rest, -1) { // an example is not asked for
		w.blank(at[0], at[1])
	}
	w.unquote()
	s.limits(e, w)
	for _, c := range clauses(w.rest) {
		if c.forbids {
			s.forbid(e, w, c)
		} else {
			s.want(e, w, c)
		}
	}
	return e
}

func (w *wish) blank(start, end int) {
	w.rest = w.rest[:start] + strings.Repeat(" ", end-start) + w.rest[end:]
}

// unquote takes the quotes out of the wish.
func (w *wish) unquote() {
	for _, m := range quotes().FindAllStringSubmatchIndex(w.rest, -1) {
		for g := 2; g < len(m); g += 2 {
			if m[g] >= 0 && strings.TrimSpace(w.rest[m[g]:m[g+1]]) != "" {
				w.quoted = append(w.quoted, quote{start: m[0], end: m[1], text: strings.TrimSpace(w.raw[m[g]:m[g+1]]), code: w.raw[m[0]] == '`'})
			}
		}
	}
	for _, q := range w.quoted {
		w.blank(q.start, q.end)
	}
}

func (s *submission) holds(q quote) bool {
	if q.code {
		return s.code(q.text)
	}
	return s.literally(q.text)
}

// within gives the quotes that stand in a clause.
func (w *wish) within(c clause) []quote {
	var out []quote
	for _, q := range w.quoted {
		if c.start <= q.start && q.start < c.end {
			out = append(out, q)
		}
	}
	return out
}

// want looks for what a clause asks for.
func (s *submission) want(e *evidence, w *wish, c clause) {
	s.wantQuotes(e, w, w.within(c))
	for _, f := range w.forms(c) {
		e.must(f.name, f.holds(s))
	}
	var p phrases
	seen := map[string]bool{}
	for i, ws := 0, words(w.rest[c.start:c.end]); i < len(ws); i++ {
		x, key := ws[i], ws[i].root
		if seen[key] || !telling(x) || s.uncounted(ws, i) {
			continue
		}
		seen[key] = true
		there := s.roots[key] != ""
		if x.number && !x.spelt {
			there = there && s.agrees(ws[i:])
			e.broken = e.broken || !there
			e.weigh(heavy, there)
		} else {
			e.weigh(plain, there)
		}
		p.add(w.raw[c.start:c.end], x, there)
	}
	p.flush(e)
}

// wantQuotes wants each quote, or one of a run that "or" joins.
func (s *submission) wantQuotes(e *evidence, w *wish, all []quote) {
	for len(all) > 0 {
		n, or := 1, false
		for n < len(all) {
			between := w.raw[all[n-1].end:all[n].start]
			if !either().MatchString(between) {
				break
			}
			or = or || strings.TrimSpace(between) != ","
			n++
		}
		if !or {
			n = 1
		}
		var names []string
		for _, q := range all[:n] {
			names = append(names, q.text)
		}
		e.must(strings.Join(names, "` or `"), slices.ContainsFunc(all[:n], s.holds))
		all = all[n:]
	}
}

// agrees reports whether a number that is followed by a word it counts is not
// at odds with the submission, which may count the same with other numbers only.
func (s *submission) agrees(ws []word) bool {
	if len(ws) < 2 || ws[1].number {
		return true
	}
	counted := s.counts[ws[1].root]
	return len(counted) == 0 || counted[ws[0].text]
}

// uncounted reports whether the number at i says how many of something there
// should be, "at least three reasons", and the submission does not number them:
// that cannot be looked for.
func (s *submission) uncounted(ws []word, i int) bool {
	if !ws[i].number || i == 0 || i+1 == len(ws) {
		return false
	}
	switch ws[i-1].text {
	case "least", "most", "exactly", "than":
		return len(s.counts[ws[i+1].root]) == 0
	}
	return false
}
