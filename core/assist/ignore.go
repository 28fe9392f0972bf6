package assist

import (
	"errors"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/text"
)

// ReasonPlaceholder stands, in the comment that [Choice.Ignore] writes, for the reason that
// a person has to give.
const ReasonPlaceholder = "reason"

var errCannotIgnore = errors.New("no comment can stand before this line")

// ignoreEdits is the comment by which a rule is not told of any more where it found
// something: alone on the line before, where that says nothing else and brings
// nothing new.
func ignoreEdits(a *analysis.Analysis, rule string, found text.Span) ([]text.Edit, error) {
	part := a.ChunkAt(found.Start)
	local := part.FromFile(found.Start)
	line := part.Source.LineSpan(part.Source.OffsetLine(local))
	words := part.Source.Slice(line)
	indent := words[:len(words)-len(strings.TrimLeft(words, " \t"))]
	comment := indent + "# rubric: ignore " + rule + " -- " + ReasonPlaceholder + styleOf(part).newline
	at := part.ToFile(text.Span{Start: line.Start, End: line.Start}).Start
	edits := []text.Edit{{Span: text.Span{Start: at, End: at}, New: comment}}
	next := applyEdits(a, edits)
	moved := found.Shift(len(comment))
	if !sameContent(part.Tree, next.ChunkAt(moved.Start).Tree) || !onlyRemoves(a.FindingsIn(found, nil), next.FindingsIn(moved, nil), rule) {
		return nil, errCannotIgnore
	}
	return edits, nil
}

// onlyRemoves reports whether of some findings those of a rule are gone, and no others have
// come.
func onlyRemoves(before, after []analysis.Finding, rule string) bool {
	count := map[string]int{}
	for _, f := range before {
		count[f.Code]++
	}
	for _, f := range after {
		if count[f.Code]--; f.Code == rule || count[f.Code] < 0 {
			return false
		}
	}
	return true
}

// addIgnores offers a comment that hides a finding, after every other action.
func (c *actionCollector) addIgnores(a *analysis.Analysis, span text.Span, diagnostics []diag.Diagnostic) {
	if !c.wantsKind(Suppress) {
		return
	}
	seen := map[ActionData]bool{}
	for n := range diagnostics {
		d := &diagnostics[n]
		what := ActionData{Rule: d.Code, Span: d.Span, Ignore: true}
		if d.Span.Start > span.End || d.Span.End < span.Start || seen[what] || len(seen) == maxIgnoreActions {
			continue
		}
		seen[what] = true
		if _, err := ignoreEdits(a, d.Code, d.Span); err == nil {
			c.actions = append(c.actions, Action{Kind: Suppress, Title: "ignore `" + d.Code + "` here", Diagnostic: d, ActionData: what})
		}
	}
}

// maxIgnoreActions is of how many findings it is tried whether they can be ignored: each
// takes an analysis, and nobody chooses from a longer list.
const maxIgnoreActions = 20
