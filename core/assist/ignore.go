package assist

import (
	"errors"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/text"
)

// IgnoreReason stands, in the comment that [Choice.Ignore] writes, for the reason that
// a person has to give.
const IgnoreReason = "reason"

var errNotIgnored = errors.New("no comment can stand before this line")

// ignored is the comment by which a rule is not told of any more where it found
// something: alone on the line before, where that says nothing else and brings
// nothing new.
func ignored(a *analysis.Analysis, rule string, found text.Span) ([]text.Edit, error) {
	part := a.At(found.Start)
	local := part.Local(found.Start)
	line := part.Source.LineSpan(part.Source.OffsetLine(local))
	words := part.Source.Slice(line)
	indent := words[:len(words)-len(strings.TrimLeft(words, " \t"))]
	comment := indent + "# rubric: ignore " + rule + " -- " + IgnoreReason + styleOf(part).newline
	at := part.Place(text.Span{Start: line.Start, End: line.Start}).Start
	edits := []text.Edit{{Span: text.Span{Start: at, End: at}, New: comment}}
	next := after(a, edits)
	moved := found.Shift(len(comment))
	if !sameWords(part.Tree, next.At(moved.Start).Tree) || !fewer(a.Within(found, nil), next.Within(moved, nil), rule) {
		return nil, errNotIgnored
	}
	return edits, nil
}

// fewer reports whether of some findings those of a rule are gone, and no others have
// come.
func fewer(before, after []analysis.Finding, rule string) bool {
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

// ignores offers a comment that hides a finding, after every other action.
func (o *offering) ignores(a *analysis.Analysis, span text.Span, all []diag.Diagnostic) {
	if !o.wants(Suppress) {
		return
	}
	seen := map[Choice]bool{}
	for n := range all {
		found := &all[n]
		what := Choice{Rule: found.Code, Span: found.Span, Ignore: true}
		if found.Span.Start > span.End || found.Span.End < span.Start || seen[what] || len(seen) == mostIgnores {
			continue
		}
		seen[what] = true
		if _, err := ignored(a, found.Code, found.Span); err == nil {
			o.all = append(o.all, Action{Kind: Suppress, Title: "ignore `" + found.Code + "` here", Mends: found, Choice: what})
		}
	}
}

// mostIgnores is of how many findings it is tried whether they can be ignored: each
// takes an analysis, and nobody chooses from a longer list.
const mostIgnores = 20
