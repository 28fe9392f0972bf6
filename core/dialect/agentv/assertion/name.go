package assertion

import (
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// maxRegexName is how much of a regex goes into a name, in characters.
const maxRegexName = 30

// readName gives a grader the name that is written, or one made of its type and of
// what it looks for.
func (r *listReader) readName(g *rubric.Grader, n *yaml.Node) {
	if name := n.Get(r.keys.graderName); name != nil {
		if text, ok := name.Str(); ok && text != "" {
			g.Name, g.SelectionSpan = text, r.spanOf(name)
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
	case takesSeveralTexts(g.Assert.Type) && value.IsSeq():
		g.Name += "-" + strconv.Itoa(len(value.List()))
	case !takesSeveralTexts(g.Assert.Type) && text != "":
		g.Name += "-" + clipName(g.Assert.Type, text)
	}
}

// takesSeveralTexts reports whether a type looks for any number of texts.
func takesSeveralTexts(typ string) bool {
	return strings.HasSuffix(typ, "-any") || strings.HasSuffix(typ, "-all")
}

func clipName(typ, text string) string {
	if letters := []rune(text); typ == rubric.Regex && len(letters) > maxRegexName {
		return string(letters[:maxRegexName])
	}
	return text
}
