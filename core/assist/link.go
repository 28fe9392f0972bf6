package assist

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Link is a place that leads to a file, or to an address. Whether there is such
// a file, a host can tell.
type Link struct {
	Span text.Span
	Path string // as it is written, without `file://`; "" for an address
	Dir  string // where a program is looked for first, as it is written; "" for nowhere
	URL  string

	node *yaml.Node // that the path is written in; nil for a comment
}

// Links are those of a part, in order: files of messages, prompts, scripts, tests
// that stand elsewhere, the author's own schema.
func Links(p *analysis.Chunk) (all []Link) {
	if schema := lint.FindUserSchema(p.Tree); schema != nil && p.Header == nil {
		link := Link{Span: schema.Span, Path: schema.Reference}
		if schema.IsRemote() {
			link = Link{Span: schema.Span, URL: schema.Reference}
		}
		all = append(all, link)
	}
	walkValues(p, func(v value) {
		if link, ok := v.link(); ok {
			all = append(all, link)
		}
	})
	slices.SortStableFunc(all, func(a, b Link) int { return a.Span.Start - b.Span.Start })
	return slices.CompactFunc(all, func(a, b Link) bool { return a.Span == b.Span })
}

// LinkAt is the link that an offset of a part is on.
func LinkAt(p *analysis.Chunk, offset int) (Link, bool) {
	for _, link := range Links(p) {
		if link.Span.Touches(offset) {
			return link, true
		}
	}
	return Link{}, false
}

// link is the one that a text is.
func (v value) link() (link Link, ok bool) {
	n := v.node
	words, isText := n.Str()
	if n.Kind != yaml.Scalar || !isText || strings.ContainsAny(words, "\n\r") {
		return link, false
	}
	link = Link{Span: unquotedSpan(n), Path: words, node: n}
	if path, is := strings.CutPrefix(words, fileScheme); is {
		link.Path = path
		return link, path != ""
	}
	field, owner := v.field()
	if field == nil || words == "" {
		return link, false
	}
	holder := enclosingMapping(n)
	switch field.Key {
	case "value":
		kind, _ := holder.Get("type").Str()
		return link, owner.Name == "content-part" && kind != "text"
	case "prompt":
		return link, lint.LooksLikeFile(words)
	case "script", "command":
		link.Dir, _ = holder.Get("cwd").Str()
		return link, lint.IsProgram(words) && !strings.Contains(words, " ")
	case "path":
		return link, strings.HasPrefix(owner.Name, "aggregator")
	case "include": // of assertions a template's name may stand there
		return link, owner.Name != "included-assertions" || lint.LooksLikeFile(words)
	case "input_files", "workspace_template":
		return link, true
	case "default_test":
		return link, v.pair != nil
	}
	return link, v.isCaseList() && owner != agentv.EvalFile
}

// enclosingMapping is the mapping that a node, or the list that it is in, stands in.
func enclosingMapping(n *yaml.Node) *yaml.Node {
	up := n.Parent
	if up != nil && up.Kind == yaml.Sequence {
		up = up.Parent
	}
	return up
}
