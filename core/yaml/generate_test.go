package yaml_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// privateUse lists the characters that disable hiding of surrogate escapes in a text.
var privateUse = func() string {
	var b strings.Builder
	for r := rune(0xE000); r < 0xE800; r++ {
		b.WriteRune(r)
	}
	return b.String()
}()

// generator writes JSON at random.
type generator struct {
	*rand.Rand
	strings.Builder
}

func (g *generator) pick(of ...string) { g.WriteString(of[g.IntN(len(of))]) }

func (g *generator) space() { g.pick("", "", "", " ", "\n", "\r\n", "\t", "\r", "\n    ") }

func (g *generator) collection(depth int) {
	n := g.IntN(5)
	if g.IntN(2) == 0 {
		g.list("[", "]", n, func() { g.value(depth) })
		return
	}
	g.list("{", "}", n, func() {
		g.text()
		g.space()
		g.WriteString(":")
		g.space()
		g.value(depth)
	})
}

func (g *generator) list(open, shut string, n int, item func()) {
	g.WriteString(open)
	for i := range n {
		if i > 0 {
			g.WriteString(",")
		}
		g.space()
		item()
		g.space()
	}
	g.WriteString(shut)
}

func (g *generator) value(depth int) {
	switch n := g.IntN(6); {
	case n < 2 && depth > 0:
		g.collection(depth - 1)
	case n < 4:
		g.text()
	case n < 5:
		g.pick("null", "true", "false")
	default:
		g.number()
	}
}

func (g *generator) number() {
	g.pick("", "-")
	g.pick("0", "7", "10", fmt.Sprint(g.Uint64()), "9"+strings.Repeat("0", g.IntN(40)))
	g.pick("", "", ".0", ".125", "."+fmt.Sprint(g.Uint32()))
	g.pick("", "", "e1", "E+20", "e-7", "e400")
}

// text is a string; few of them, so that keys repeat.
func (g *generator) text() {
	g.WriteString(`"`)
	for range g.IntN(4) {
		g.pick("a", "b", "key", " ", "é", "日", "😀", "#", ": ", ", ", "- ", "{", "}", "'", "%", "\x7f", "\u0080", "\uFEFF", `\"`, `\\`, `\/`, `\b\f`, `\n`, `\r`, `\t`, `\u0000`, `\u00e9`, `\uFFFF`, `\u2028`,
			`\ud83d\ude00`, `\uD83D`, `\uDe00`, fmt.Sprintf(`\u%04x`, g.IntN(0xE000)))
	}
	g.WriteString(`"`)
}
