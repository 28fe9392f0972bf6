// Package hover documents a place: what a key means, what a criterion is worth, how the last run graded it.
package hover

import (
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/internal/facts"
	"github.com/rubric-ls/rubric/core/ide/internal/fielddoc"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Hover is the documentation of a place.
type Hover struct {
	Span     text.Span // what the hover is about
	Markdown string
}

// Describe returns the documentation of the key or scalar at an offset, and what it means for the
// score of this file. Criteria are those that an ADK file's cases are measured by. False if there is
// none.
func Describe(p *analysis.Chunk, offset int, results ide.Results, criteria ...metric.Criterion) (Hover, bool) {
	for _, c := range p.Tree.Comments {
		if c.Span.Touches(offset) {
			return hoverIgnoreComment(p, c, offset)
		}
	}
	n := hoverTarget(p.Tree.NodeAt(offset), offset)
	if n == nil {
		return Hover{}, false
	}
	s := syntax.ContextOf(p, n)
	var page []string
	switch doc := schemaDoc(p, s, n); {
	case syntax.IsKey(n) && syntax.PairOf(n).IsMerge():
		page = append(page, "**`"+n.Value+"`**: merges in the keys of one or more other mappings that this mapping does not define")
	case doc != "":
		page = append(page, doc)
	}
	if n.Kind == yaml.Alias && n.Target != nil {
		page = append(page, facts.InlineCode(p.Source.Slice(n.Span))+" stands for "+facts.InlineCode(p.Source.Slice(n.Target.Span)))
	}
	if details := detailsAt(p, n, s, results, criteria); details != "" {
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
	pair := syntax.PairOf(n)
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
func schemaDoc(p *analysis.Chunk, s syntax.Context, n *yaml.Node) string {
	if s.Type == nil {
		return ""
	}
	if target := n.Follow(); !syntax.IsKey(n) && target != nil && target.Kind == yaml.Scalar {
		if doc := fielddoc.ValueDoc(s, target.Value); doc != "" {
			return doc
		}
	}
	pair := syntax.PairOf(n)
	switch {
	case s.Field != nil && pair != nil:
		return fielddoc.FieldDoc(s.Field, pair.Key.Value)
	case pair == nil:
		if f := syntax.EnclosingField(p, n); f != nil {
			return fielddoc.FieldDoc(f, f.Key)
		}
		return ""
	}
	doc := s.Owner.Doc
	if above := syntax.EnclosingField(p, n); doc == "" && above != nil {
		doc = above.Doc
	}
	return strings.TrimSpace("**" + facts.InlineCode(pair.Key.Value) + "**: " + fielddoc.DescribeType(s.Type) + "\n\n" + doc)
}

// detailsAt describes the innermost band, criterion, grader or case that a node belongs to.
func detailsAt(p *analysis.Chunk, n *yaml.Node, s syntax.Context, results ide.Results, criteria []metric.Criterion) string {
	if p.ADK != nil {
		return adkFacts(p, n, results, criteria)
	}
	offset := n.Span.Start
	if cr, ok := facts.CriterionAt(p, offset); ok {
		if b := bandAt(cr.Criterion(), offset); b != nil {
			return bandFacts(cr, *b)
		}
		return details(cr, results)
	}
	for _, c := range facts.AllCases(p) {
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
	for g, parent := range rubric.Walk(c.Graders) {
		if n.Parent != nil && n.Parent.Span == g.Span || g.SelectionSpan == n.Span || g.SelectionSpan.Empty() && g.Span == n.Span {
			found, foundParent = g, parent
		}
	}
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
func bandFacts(cr facts.CriterionRef, b rubric.Band) string {
	c := cr.Criterion()
	lines := []string{fmt.Sprintf("band **%s** of 10 of %s", b, facts.InlineCode(c.ID))}
	if ofRubric, _, ok := cr.WeightShares(); ok && b.Fault() == "" {
		lines = append(lines, fmt.Sprintf("gives %s to %s of the rubric's score, of the %s that the criterion is worth",
			facts.FormatPercent(ofRubric*b.Lo/rubric.HighestScore), facts.FormatPercent(ofRubric*b.Hi/rubric.HighestScore), facts.FormatPercent(ofRubric)))
	}
	if minimum := score.Minimum(c); minimum != nil && b.Hi < *minimum {
		lines = append(lines, fmt.Sprintf("below the gate of %s: the verdict is fail", score.FormatNumber(*minimum)))
	}
	if b.Fault() == "" {
		grades := score.BestGrades(cr.Grader.Criteria)
		worst, most := cr.ResultAtLevel(grades, b.Lo), cr.ResultAtLevel(grades, b.Hi)
		if worst.Verdict == most.Verdict {
			lines = append(lines, "with all else at its best: "+outcomeText(cr, most))
		} else {
			lines = append(lines, fmt.Sprintf("with all else at its best: **%s** to **%s**", worst.Verdict, most.Verdict))
		}
	}
	lines = append(lines, facts.DescribeCoverage(c.Bands))
	return facts.BulletList(lines)
}

// hoverIgnoreComment documents the rule under the cursor in an ignore comment.
func hoverIgnoreComment(p *analysis.Chunk, c yaml.Comment, offset int) (Hover, bool) {
	written := p.Source.Slice(c.Span)
	lead := fielddoc.IgnorePattern().FindStringIndex(written)
	if lead == nil {
		return Hover{}, false
	}
	for _, m := range fielddoc.RuleIDPattern().FindAllStringIndex(written[lead[1]:], -1) {
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

// At returns the documentation of an offset with the last results, or nil.
func At(f *ide.File, offset int) *ide.Hover {
	chunk := f.ChunkAt(offset)
	var criteria []metric.Criterion
	if f.Host.Metrics != nil {
		criteria = f.Host.Metrics()
	}
	found, ok := Describe(chunk, chunk.FromFile(offset), f.Host.Outcomes(), criteria...)
	if !ok {
		return nil
	}
	return &ide.Hover{Contents: f.Client.Markup(found.Markdown), Range: f.SpanRange(chunk.ToFile(found.Span))}
}
