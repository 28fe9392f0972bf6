package assertion

import (
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// longest is how much of a regex goes into a name, in characters.
const longest = 30

// name gives a grader the name that is written, or one made of its type and of
// what it looks for.
func (r *reading) name(g *rubric.Grader, n *yaml.Node) {
	if name := n.Get(r.words.name); name != nil {
		if text, ok := name.Str(); ok && text != "" {
			g.Name, g.Head = text, r.span(name)
			return
		}
	}
	g.Name = g.Assert.Type
	if g.Kind != rubric.Deterministic || g.Assert.Type == rubric.IsJSON {
		return
	}
	value := n.Get("value")
	text, _ := value.Str()
	switch {
	case several(g.Assert.Type) && value.IsSeq():
		g.Name += "-" + strconv.Itoa(len(value.List()))
	case !several(g.Assert.Type) && text != "":
		g.Name += "-" + clipped(g.Assert.Type, text)
	}
}

// several reports whether a type looks for any number of texts.
func several(typ string) bool {
	return strings.HasSuffix(typ, "-any") || strings.HasSuffix(typ, "-all")
}

func clipped(typ, text string) string {
	if letters := []rune(text); typ == rubric.Regex && len(letters) > longest {
		return string(letters[:longest])
	}
	return text
}
