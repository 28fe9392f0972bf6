package assist

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Hover is the documentation of a place.
type Hover struct {
	Span     text.Span // what the hover is about
	Markdown string
}

// HoverAt returns the documentation of the key or scalar at an offset, and what it means for the
// score of this file. False if there is none.
func HoverAt(p *analysis.Chunk, offset int, results Results) (Hover, bool) {
	for _, c := range p.Tree.Comments {
		if c.Span.Touches(offset) {
			return hoverIgnoreComment(p, c, offset)
		}
	}
	n := hoverTarget(p.Tree.NodeAt(offset), offset)
	if n == nil {
		return Hover{}, false
	}
	s := schemaContextOf(p, n)
	var page []string
	switch doc := schemaDoc(p, s, n); {
	case isKey(n) && pairOf(n).IsMerge():
		page = append(page, "**`<<`**: merges in the keys of one or more other mappings that this mapping does not define")
	case doc != "":
		page = append(page, doc)
	}
	if n.Kind == yaml.Alias && n.Target != nil {
		page = append(page, inlineCode("*"+n.Value)+" stands for "+inlineCode(p.Source.Slice(n.Target.Span)))
	}
	if details := detailsAt(p, n, s, results); details != "" {
		page = append(page, strings.TrimSpace(details))
	}
	if len(page) == 0 {
		return Hover{}, false
	}
	return Hover{n.Span, strings.Join(page, "\n\n---\n\n")}, true
}

// hoverTarget returns the key or scalar at an offset, or nil on brackets and between nodes. For an
// empty value it returns the key.
func hoverTarget(n *yaml.Node, offset int) *yaml.Node {
	pair := pairOf(n)
	switch {
	case n.Kind == yaml.Mapping || n.Kind == yaml.Sequence,
		!n.Span.Touches(offset) && !n.Props.Touches(offset),
		n.Span.Empty() && pair == nil:
		return nil
	case n.Span.Empty():
		return pair.Key
	}
	return n
}

// schemaDoc returns the field table's documentation of a key or value.
func schemaDoc(p *analysis.Chunk, s schemaContext, n *yaml.Node) string {
	if s.Type == nil {
		return ""
	}
	if target := n.Follow(); !isKey(n) && target != nil && target.Kind == yaml.Scalar {
		if doc := valueDoc(s, target.Value); doc != "" {
			return doc
		}
	}
	pair := pairOf(n)
	switch {
	case s.Field != nil && pair != nil:
		return fieldDoc(s.Field, pair.Key.Value)
	case pair == nil:
		if f := enclosingField(p, n); f != nil {
			return fieldDoc(f, f.Key)
		}
		return ""
	}
	doc := s.Owner.Doc
	if above := enclosingField(p, n); doc == "" && above != nil {
		doc = above.Doc
	}
	return strings.TrimSpace("**" + inlineCode(pair.Key.Value) + "**: " + describeType(s.Type) + "\n\n" + doc)
}

// enclosingField returns the nearest field that contains a node.
func enclosingField(p *analysis.Chunk, n *yaml.Node) *schema.Field {
	for up := n.Parent; up != nil; up = up.Parent {
		if f := schemaContextOf(p, up).Field; f != nil {
			return f
		}
	}
	return nil
}

// valueDoc returns the meaning of one of a field's listed values, or "". For a tag that is the
// variant it selects.
func valueDoc(s schemaContext, value string) string {
	doc := ""
	for _, v := range typeValues(s.Type) {
		if v.Text == value {
			doc = v.Doc
		}
	}
	if v := taggedVariant(s, value); v != nil && v.Doc != "" {
		doc = v.Doc
	}
	if doc == "" {
		return ""
	}
	return "**`" + value + "`**: " + doc
}

// taggedVariant returns the variant that a tag value selects, or nil.
func taggedVariant(s schemaContext, value string) *schema.Type {
	if s.Owner == nil || s.Field == nil {
		return nil
	}
	switch {
	case s.Owner.Tag == s.Field.Key:
		return s.Owner.VariantByTag(value)
	case slices.Contains(s.Owner.TagValues, value) && selectingTag(s.Owner, s.Field) != "":
		return s.Owner
	}
	return nil
}

// detailsAt describes the innermost band, criterion, grader or case that a node belongs to.
func detailsAt(p *analysis.Chunk, n *yaml.Node, s schemaContext, results Results) string {
	if p.ADK != nil {
		return adkFacts(p, n, results)
	}
	offset := n.Span.Start
	if cr, ok := criterionAt(p, offset); ok {
		if b := bandAt(cr.criterion(), offset); b != nil {
			return cr.bandFacts(*b)
		}
		return cr.details(results)
	}
	for _, c := range allCases(p) {
		if !c.Span.Touches(offset) {
			continue
		}
		if g, parent := graderAt(c, n); g != nil {
			return graderFacts(c, g, parent, results)
		}
		if n.Parent != nil && n.Parent.Span == c.Span && s.Field != nil && (s.Field.Required || s.Field.Key == "id") {
			return caseFacts(c, results)
		}
	}
	return ""
}

// graderAt returns the innermost grader whose mapping contains n or whose criteria are under the key
// n, and the grader that it is a member of.
func graderAt(c *rubric.Case, n *yaml.Node) (found, foundParent *rubric.Grader) {
	visitGraders(c, func(g, parent *rubric.Grader) {
		if n.Parent != nil && n.Parent.Span == g.Span || g.SelectionSpan == n.Span || g.SelectionSpan.Empty() && g.Span == n.Span {
			found, foundParent = g, parent
		}
	})
	return found, foundParent
}

func bandAt(c *rubric.Criterion, offset int) *rubric.Band {
	for i := range c.Bands {
		if c.Bands[i].Span.Touches(offset) && c.Bands[i].Span != (text.Span{}) {
			return &c.Bands[i]
		}
	}
	return nil
}

// bandFacts describes what the scores of a band mean.
func (cr criterionRef) bandFacts(b rubric.Band) string {
	c := cr.criterion()
	lines := []string{fmt.Sprintf("band **%s** of 10 of %s", b, inlineCode(c.ID))}
	if ofRubric, _, ok := cr.weightShares(); ok && b.Fault() == "" {
		lines = append(lines, fmt.Sprintf("gives %s to %s of the rubric's score, of the %s that the criterion is worth",
			formatPercent(ofRubric*b.Lo/rubric.HighestScore), formatPercent(ofRubric*b.Hi/rubric.HighestScore), formatPercent(ofRubric)))
	}
	if minimum := score.Minimum(c); minimum != nil && b.Hi < *minimum {
		lines = append(lines, fmt.Sprintf("below the gate of %s: the verdict is fail", formatNumber(*minimum)))
	}
	if b.Fault() == "" {
		grades := bestGrades(cr.grader.Criteria)
		worst, most := cr.resultAtLevel(grades, b.Lo), cr.resultAtLevel(grades, b.Hi)
		if worst.Verdict == most.Verdict {
			lines = append(lines, "with all else at its best: "+cr.outcomeText(most))
		} else {
			lines = append(lines, fmt.Sprintf("with all else at its best: **%s** to **%s**", worst.Verdict, most.Verdict))
		}
	}
	lines = append(lines, describeCoverage(c.Bands))
	return bulletList(lines)
}

var (
	ignorePattern = pattern.New(`^#\s*rubric:\s*ignore\b`)
	ruleIDPattern = pattern.New(`[a-z0-9]+(-[a-z0-9]+)*`)
)

// hoverIgnoreComment documents the rule under the cursor in an ignore comment.
func hoverIgnoreComment(p *analysis.Chunk, c yaml.Comment, offset int) (Hover, bool) {
	written := p.Source.Slice(c.Span)
	lead := ignorePattern().FindStringIndex(written)
	if lead == nil {
		return Hover{}, false
	}
	for _, m := range ruleIDPattern().FindAllStringIndex(written[lead[1]:], -1) {
		word := text.Span{Start: m[0], End: m[1]}.Shift(c.Span.Start + lead[1])
		if !word.Touches(offset) {
			continue
		}
		if rule := lint.Find(p.Source.Slice(word)); rule != nil {
			return Hover{word, analysis.RulePage(rule, false)}, true
		}
	}
	return Hover{c.Span, "The rules named here are not reported on this line or, if the comment is alone on its line, on the next one: " +
		"`# rubric: ignore RULE, RULE -- reason`."}, true
}
