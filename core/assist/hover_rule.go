package assist

import (
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

var (
	ignorePattern = pattern.New(`^#\s*rubric:\s*ignore\b`)
	ruleIDPattern = pattern.New(`[a-z0-9]+(-[a-z0-9]+)*`)
)

// hoverIgnoreComment is the page of the rule that a comment asks not to be told of.
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
	return Hover{c.Span, "Rules named here are not reported on this line, or, where the comment stands alone, on the next one: " +
		"`# rubric: ignore RULE, RULE -- reason`."}, true
}
