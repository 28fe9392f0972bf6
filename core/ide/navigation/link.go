// Package navigation leads from a name to its declaration and uses, renames it, and follows links to files.
package navigation

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv/seed"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// A Link is a place that leads to a file or URL. The host checks whether the file exists.
type Link struct {
	ide.Link
	Span text.Span

	node *yaml.Node // the node of the path; nil for a comment
}

// Links returns the links of a chunk in order: message files, prompts, scripts, included tests, the
// file's own schema.
func Links(p *analysis.Chunk) (all []Link) {
	if schema := lint.FindUserSchema(p.Tree); schema != nil && p.Header == nil {
		link := Link{Span: schema.Span, Link: ide.Link{Path: schema.Reference}}
		if schema.IsRemote() {
			link = Link{Span: schema.Span, Link: ide.Link{URL: schema.Reference}}
		}
		all = append(all, link)
	}
	syntax.WalkValues(p, func(v syntax.Value) {
		if link, ok := link(v); ok {
			all = append(all, link)
		}
	})
	generic.SortStable(all, func(a, b Link) int { return a.Span.Start - b.Span.Start })
	return slices.CompactFunc(all, func(a, b Link) bool { return a.Span == b.Span })
}

// LinkAt returns the link at an offset of a chunk.
func LinkAt(p *analysis.Chunk, offset int) (Link, bool) {
	for _, link := range Links(p) {
		if link.Span.Touches(offset) {
			return link, true
		}
	}
	return Link{}, false
}

// link returns the link that a string is.
func link(v syntax.Value) (link Link, ok bool) {
	n := v.Node
	words, isText := n.Str()
	if n.Kind != yaml.Scalar || !isText || strings.ContainsAny(words, "\n\r") {
		return link, false
	}
	link = Link{Span: syntax.UnquotedSpan(n), Link: ide.Link{Path: words}, node: n}
	if path, is := strings.CutPrefix(words, syntax.FileScheme); is {
		link.Path = path
		return link, path != ""
	}
	field, owner := v.FieldAndOwner()
	if field == nil || words == "" {
		return link, false
	}
	mapping := enclosingMapping(n)
	switch field.Key {
	case "value":
		return link, owner.Name == "content-part" && mapping.Get("type").Text() != "text"
	case "prompt":
		return link, rubric.LooksLikeFile(words)
	case "script", "command":
		link.Dir = mapping.Get("cwd").Text()
		return link, rubric.IsProgram(words) && !strings.Contains(words, " ")
	case "path":
		return link, strings.HasPrefix(owner.Name, "aggregator")
	case "include": // for assertions this may be the name of a template
		return link, owner.Name != "included-assertions" || rubric.LooksLikeFile(words)
	case "input_files", "workspace_template":
		return link, true
	case "default_test":
		return link, v.Pair != nil
	}
	return link, v.IsCaseList() && owner != seed.EvalFile
}

// enclosingMapping returns the mapping that contains a node directly or in a list.
func enclosingMapping(n *yaml.Node) *yaml.Node {
	up := n.Parent
	if up != nil && up.Kind == yaml.Sequence {
		up = up.Parent
	}
	return up
}

// RepointLinks returns the edits that change the paths of a chunk's links, for example after files
// were renamed. to returns the new path, or false to keep the link. Quotes and `file://` are kept.
func RepointLinks(p *analysis.Chunk, to func(ide.Link) (path string, ok bool)) (edits []text.Edit) {
	for _, link := range Links(p) {
		path, ok := to(link.Link)
		switch {
		case !ok || path == link.Path || link.URL != "":
		case link.node == nil:
			edits = append(edits, text.Edit{Span: link.Span, New: path})
		default:
			if strings.HasPrefix(link.node.Value, syntax.FileScheme) {
				path = syntax.FileScheme + path
			}
			edits = append(edits, text.Edit{Span: link.node.Span, New: scalar.FormatLike(link.node, path)})
		}
	}
	return edits
}

// LinksInRange returns the links within a span that lead somewhere.
func LinksInRange(f *ide.File, within text.Span) []ide.DocumentLink {
	all := []ide.DocumentLink{}
	targets := map[ide.Link]string{} // many cases refer to the same files
	for chunk := range f.ChunksIn(within) {
		for _, link := range Links(chunk) {
			target, cached := targets[link.Link]
			if !cached {
				target = linkTarget(f, link)
				targets[link.Link] = target
			}
			if target != "" {
				all = append(all, ide.DocumentLink{Range: f.SpanRange(chunk.ToFile(link.Span)), Target: target})
			}
		}
	}
	return all
}

func linkTarget(f *ide.File, link Link) string {
	if f.Host.LinkTarget == nil {
		return link.URL
	}
	return f.Host.LinkTarget(link.Link)
}
