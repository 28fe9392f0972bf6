package lint

import (
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// retypeFix writes a scalar so that it is of the wanted kind, where there is no
// doubt what was meant.
func retypeFix(m conform.Mismatch) []diag.Fix {
	n := m.Node
	if n.Kind != yaml.Scalar || n.Tagged {
		return nil
	}
	value, isText := n.Str()
	switch {
	case m.Type.Kind == schema.Text && !isText && n.Style == yaml.Plain:
		return replaceFix(n, strconv.Quote(n.Value), "quote it, so that it is a text")
	case m.Type.Kind == schema.Bool && isText:
		switch strings.ToLower(value) {
		case "yes", "on", "true":
			return replaceFix(n, "true", "change to `true`")
		case "no", "off", "false":
			return replaceFix(n, "false", "change to `false`")
		}
	case m.Type.Kind == schema.Number && isText && n.Style != yaml.Plain:
		if _, err := strconv.ParseFloat(value, 64); err == nil {
			return replaceFix(n, value, "remove the quotes, so that it is a number")
		}
	}
	return nil
}

func replaceFix(n *yaml.Node, with, title string) []diag.Fix {
	return []diag.Fix{{Title: title, Safe: true, Edits: []text.Edit{{Span: n.Span, New: with}}}}
}

// wrapFix puts a text into a mapping where that has one key to be there, of a text.
func wrapFix(m conform.Mismatch) []diag.Fix {
	value, isText := m.Node.Str()
	if !isText || m.Type.Kind != schema.Map || len(m.Type.Fields) != 1 || m.Type.Fields[0].Type.Kind != schema.Text {
		return nil
	}
	key := m.Type.Fields[0].Key
	return replaceFix(m.Node, `{ "`+key+`": `+scalar.Quote(value)+" }", "put it under `"+key+"`")
}
