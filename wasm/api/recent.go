package api

import (
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
)

// recent are the files that were asked about last, the latest first. An editor
// asks about the same few again and again, each time with one edit more, and an
// edit costs a hundredth of the file. What is answered is what would be without.
var recent struct {
	sync.Mutex
	files []file
}

// maxRecent is how many files are kept.
const maxRecent = 4

// file is a text and what is known about it.
type file struct {
	path, text string
	analysis   *analysis.Analysis
}

// analyse gives the analysis of a text, made of an earlier one's of the same path
// where they have most in common.
func analyse(path, body string) *analysis.Analysis {
	recent.Lock()
	at := slices.IndexFunc(recent.files, func(f file) bool { return f.path == path })
	var last file
	if at >= 0 {
		last = recent.files[at]
	}
	recent.Unlock()

	a := last.analysis
	switch edit, small := difference(last.text, body); {
	case a == nil || !small:
		a = analysis.Of(analysis.Input{Path: path, Text: body})
	case edit.Span.Len() > 0 || edit.New != "":
		a = a.Edit(edit)
	}

	recent.Lock()
	defer recent.Unlock()
	recent.files = slices.DeleteFunc(recent.files, func(f file) bool { return f.path == path })
	recent.files = slices.Insert(recent.files, 0, file{path, body, a})
	recent.files = recent.files[:min(len(recent.files), maxRecent)]
	return a
}

// difference is the edit that makes before after, and whether it leaves most of
// both as it was.
func difference(before, after string) (edit text.Edit, small bool) {
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
