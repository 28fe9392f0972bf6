package api

import (
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
)

// analysisCache holds the analyses of the last files, latest first. Stateless callers send the same
// few files again with one edit more, and an edit costs a hundredth of a whole analysis. The cache
// never changes an answer.
var analysisCache struct {
	sync.Mutex
	files []cachedFile
}

const maxCachedFiles = 4

// cachedFile is a text with its analysis.
type cachedFile struct {
	path, text string
	analysis   *analysis.Analysis
}

// analyse returns the analysis of a text. It edits the cached analysis of the same path if the
// texts have most in common.
func analyse(path, body string) *analysis.Analysis {
	analysisCache.Lock()
	index := slices.IndexFunc(analysisCache.files, func(f cachedFile) bool { return f.path == path })
	var previous cachedFile
	if index >= 0 {
		previous = analysisCache.files[index]
	}
	analysisCache.Unlock()

	a := previous.analysis
	switch edit, small := diffTexts(previous.text, body); {
	case a == nil || !small:
		a = analysis.Of(analysis.Input{Path: path, Text: body})
	case edit.Span.Len() > 0 || edit.New != "":
		a = a.Edit(edit)
	}

	analysisCache.Lock()
	defer analysisCache.Unlock()
	analysisCache.files = slices.DeleteFunc(analysisCache.files, func(f cachedFile) bool { return f.path == path })
	analysisCache.files = slices.Insert(analysisCache.files, 0, cachedFile{path, body, a})
	analysisCache.files = analysisCache.files[:min(len(analysisCache.files), maxCachedFiles)]
	return a
}

// diffTexts returns the edit from before to after, and whether it leaves most of both unchanged.
func diffTexts(before, after string) (edit text.Edit, small bool) {
	shorter := min(len(before), len(after))
	head, tail := 0, 0
	for head < shorter && before[head] == after[head] {
		head++
	}
	for head > 0 && head < shorter && !utf8.RuneStart(before[head]) {
		head--
	}
	for tail < shorter-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	for tail > 0 && !utf8.RuneStart(after[len(after)-tail]) {
		tail--
	}
	edit = text.Edit{Span: text.Span{Start: head, End: len(before) - tail}, New: after[head : len(after)-tail]}
	return edit, 2*(head+tail) > max(len(before), len(after))
}
