package api

import (
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
)

// analysisCache are the files that were asked about last, the latest first. An editor
// asks about the same few again and again, each time with one edit more, and an
// edit costs a hundredth of the file. What is answered is what would be without.
var analysisCache struct {
	sync.Mutex
	files []cachedFile
}

// maxCachedFiles is how many files are kept.
const maxCachedFiles = 4

// cachedFile is a text and what is known about it.
type cachedFile struct {
	path, text string
	analysis   *analysis.Analysis
}

// analyse gives the analysis of a text, made of an earlier one's of the same path
// where they have most in common.
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

// diffTexts is the edit that makes before after, and whether it leaves most of
// both as it was.
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
