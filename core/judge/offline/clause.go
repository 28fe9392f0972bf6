package offline

import "strings"

// clause is a run of a wish's words that asks for something or forbids it.
type clause struct {
	start, end int // in bytes of the wish
	forbids    bool
	// naming is set where the mere mention is forbidden: "never share it" breaks
	// "does not mention sharing" and keeps "does not ask to share it".
	naming bool
}

var (
	negators = &set{list: `not never no none neither cannot can't won't nothing avoid avoids avoiding refrain refrains refraining
omit omits omitting lacks without free`}

	// light are the words before which a negator forbids: "the answer contains no".
	light = &set{list: `the this it its it's final answer response reply output submission assistant agent model summary text tone
do does did is are was were be must should may can could will would shall has have need needs
contains contain includes include mentions mention makes make uses use gives give offers offer adds add shows show
and or but while yet instead`}

	turns = &set{list: `but yet instead`}

	sayings = &set{list: `mention include contain use say state claim promise ask reveal disclose give offer suggest recommend
invent add imply speculate blame name list repeat make guess request refer provide explain warn tell describe`, stems: true}

	namings = &set{list: `mention include contain use have say state name list refer repeat add`, stems: true}

	restraints = &set{list: `only just merely simply`}
)

func negates(w word) bool { return negators.has(w.text) || strings.HasSuffix(w.text, "n't") }

// cutter walks along a wish and cuts it where it turns to what must not be, or
// back from it.
type cutter struct {
	words    []word
	text     string
	cut      []clause
	current  clause
	from     int  // where the part after the last connector begins
	led      bool // only light words since then
	turning  bool // the connector was a full stop, a semicolon or a "but"
	reported bool // "that" was read: what follows is what somebody says
}

// clauses cuts a wish. What is reported stays whole: "says that it is not
// possible without a receipt" forbids nothing.
func clauses(text string) []clause {
	c := cutter{words: words(text), text: text, led: true}
	for i, w := range c.words {
		c.connect(i)
		switch {
		case c.led && negates(w) && c.forbidding(i), w.text == "without" && !c.current.forbids && !c.reported:
			if !c.led {
				c.from = w.start
			}
			c.begin(clause{start: w.end, forbids: true, naming: c.naming(i)})
		case c.led && c.current.forbids && c.from > c.current.start && (c.turning || sayings.has(w.text)) && !negates(w):
			c.begin(clause{start: w.start})
		}
		c.reported = c.reported || w.text == "that"
		c.led = c.led && light.has(w.text)
	}
	c.current.end = len(text)
	return append(c.cut, c.current)
}

func (c *cutter) begin(next clause) {
	c.current.end = max(c.from, c.current.start)
	c.cut = append(c.cut, c.current)
	c.current, c.reported = next, false
}

// connect notes whether the word at i, or a sign before it, joins two parts.
func (c *cutter) connect(i int) {
	w, gap := c.words[i], ""
	if i > 0 {
		gap = c.text[min(c.words[i-1].end, w.start):w.start]
	}
	stop := strings.ContainsAny(gap, ".;")
	if !stop && !strings.Contains(gap, ",") && !turns.has(w.text) && w.text != "and" && w.text != "while" {
		return
	}
	if !c.led || !light.has(w.text) { // ", but" is one connector
		c.from, c.turning = w.start, false
	}
	c.led, c.turning = true, c.turning || stop || turns.has(w.text)
}

// forbidding reports whether the negator at i forbids. At the beginning of a
// wish it does, unless the wish is for more than something: "not only …".
func (c *cutter) forbidding(i int) bool {
	next := word{}
	if i+1 < len(c.words) {
		next = c.words[i+1]
	}
	text := c.words[i].text
	switch {
	case restraints.has(next.text):
		return false
	case text == "free":
		return next.text == "of" || next.text == "from"
	case c.from == 0 && len(c.cut) == 0:
		return true
	case c.reported || text == "not" || text == "never":
		return sayings.has(next.text)
	}
	return true
}

func (c *cutter) naming(i int) bool {
	w := c.words[i]
	if w.text == "no" || w.text == "none" || w.text == "nothing" || w.text == "without" || w.text == "free" || w.text == "lacks" || strings.HasPrefix(w.text, "omit") {
		return true
	}
	return i+1 < len(c.words) && namings.has(c.words[i+1].text)
}
