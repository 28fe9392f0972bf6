package offline

import "strings"

// phrases puts neighbouring words back together, so that people read
// `refund window` and not `refund`, `window`.
type phrases struct {
	found, missed []string
	text          string
	start, end    int
	there         bool
}

func (p *phrases) add(source string, w word, there bool) {
	if p.text != "" && there == p.there && w.start >= p.start && strings.Trim(source[p.end:max(p.end, w.start)], " -") == "" {
		p.end = max(p.end, w.end)
		p.text = strings.ToLower(source[p.start:p.end])
		return
	}
	p.close()
	p.text, p.start, p.end, p.there = strings.ToLower(source[w.start:w.end]), w.start, w.end, there
}

func (p *phrases) close() {
	switch {
	case p.text == "":
	case p.there:
		p.found = append(p.found, p.text)
	default:
		p.missed = append(p.missed, p.text)
	}
	p.text = ""
}

func (p *phrases) flush(e *evidence) {
	p.close()
	e.found, e.missed = append(e.found, p.found...), append(e.missed, p.missed...)
}
