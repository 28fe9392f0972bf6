package offline

import (
	"math"
	"strings"
)

// evidence is what was found of a wish. Points weigh what was looked for: words
// count once, numbers and quotes twice.
type evidence struct {
	found, missed []string
	got, wanted   float64
	broken        bool    // something that has to be there is not: a number, a quote, a measure
	forbids       bool    // the wish is that none of it is there
	closeness     float64 // 0–1: how near a broken measure came; 1 if none is broken
}

// enough is the share of a wish's words that counts as evidence of it.
const enough = 0.5

func (e *evidence) add(what string, weight float64, there bool) {
	e.wanted += weight
	if there {
		e.got += weight
		e.found = append(e.found, what)
	} else {
		e.missed = append(e.missed, what)
	}
}

func (e *evidence) must(what string, there bool) {
	e.add(what, 2, there)
	e.broken = e.broken || !there
}

// share is how much of the wish there is evidence of, 0 to 1.
func (e *evidence) share() float64 {
	if e.wanted == 0 {
		return 0
	}
	share := e.got / e.wanted
	if e.forbids {
		share = 1 - share
	}
	return share
}

func (e *evidence) satisfied() bool {
	if e.wanted == 0 {
		return false
	}
	if e.forbids {
		return e.got/e.wanted < enough
	}
	return !e.broken && e.share() >= enough
}

// score is the share on the scale of 0 to 10. What is satisfied is at least a 7
// and what is not at most a 6, so that a range and a check agree.
func (e *evidence) score() int {
	score := int(math.Round(e.share() * 10 * e.closeness))
	if e.satisfied() {
		return max(score, 7)
	}
	return min(score, 6)
}

// String says what was found and what was missed.
func (e *evidence) String() string {
	if e.wanted == 0 {
		return "nothing to look for"
	}
	var parts []string
	if len(e.found) > 0 {
		parts = append(parts, "found "+quoted(e.found))
	}
	if len(e.missed) > 0 {
		parts = append(parts, "missed "+quoted(e.missed))
	}
	text := strings.Join(parts, "; ")
	if e.forbids {
		text = "looked for what should not be there: " + text
	}
	return text
}

func quoted(list []string) string { return "`" + strings.Join(list, "`, `") + "`" }
