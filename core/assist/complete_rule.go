package assist

import (
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// ruleDocPrefix is what topics of rules begin with; no type is called so.
const ruleDocPrefix = "#"

// ignoreDirective is what a comment begins with that asks not to be told of rules.
const ignoreDirective = "rubric: ignore"

// completeIgnoreComment are the rules that a comment could ask not to be told of, or that it
// could ask for that at all.
func completeIgnoreComment(p *analysis.Chunk, c yaml.Comment, offset int) (items []CompletionItem) {
	typed := p.Source.Body[c.Span.Start:offset]
	if begun := strings.TrimLeft(typed, "# "); strings.HasPrefix(ignoreDirective, begun) && offset == c.Span.End {
		span := text.Span{Start: offset - len(begun), End: offset}
		return []CompletionItem{{Label: ignoreDirective, Kind: SnippetItem, Detail: "rules that are not reported on this line, or the next", Edit: text.Edit{Span: span, New: ignoreDirective + " "}, Retrigger: true}}
	}
	if !ignorePattern().MatchString(typed) || strings.Contains(typed, "--") {
		return nil
	}
	start := strings.LastIndexAny(typed, " ,\t") + 1
	word := text.Span{Start: c.Span.Start + start, End: offset}
	for word.End < c.Span.End && strings.IndexByte(" ,\t", p.Source.Body[word.End]) < 0 {
		word.End++
	}
	for _, rule := range lint.All() {
		items = append(items, CompletionItem{
			Label: rule.ID, Kind: RuleItem, Detail: rule.Summary, DocKey: ruleDocPrefix + "\n" + rule.ID, Edit: text.Edit{Span: word, New: rule.ID},
		})
	}
	return items
}
