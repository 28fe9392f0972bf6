package text_test

import (
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/text"
)

func edit(start, end int, words string) text.Edit {
	return text.Edit{Span: text.Span{Start: start, End: end}, New: words}
}

func TestApply(t *testing.T) {
	for _, c := range []struct {
		name  string
		edits []text.Edit
		want  string
	}{
		{"none", nil, "0123456789"},
		{"insert", []text.Edit{edit(3, 3, "x")}, "012x3456789"},
		{"delete", []text.Edit{edit(3, 5, "")}, "01256789"},
		{"replace", []text.Edit{edit(0, 10, "x")}, "x"},
		{"in any order", []text.Edit{edit(8, 9, "b"), edit(1, 2, "a")}, "0a234567b9"},
		{"touching", []text.Edit{edit(1, 3, "a"), edit(3, 5, "b")}, "0ab56789"},
		{"insertions keep their order", []text.Edit{edit(4, 4, "a"), edit(4, 4, "b")}, "0123ab456789"},
		{"insert before a replacement", []text.Edit{edit(4, 4, "a"), edit(4, 6, "b")}, "0123ab6789"},
		{"at the ends", []text.Edit{edit(10, 10, "z"), edit(0, 0, "a")}, "a0123456789z"},
	} {
		got, err := text.Apply("0123456789", c.edits)
		if err != nil || got != c.want {
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
}

func TestApplyRefuses(t *testing.T) {
	for _, c := range []struct {
		name  string
		edits []text.Edit
	}{
		{"overlap", []text.Edit{edit(1, 4, ""), edit(3, 5, "")}},
		{"insertion inside", []text.Edit{edit(1, 4, ""), edit(2, 2, "x")}},
		{"before the text", []text.Edit{edit(-1, 1, "")}},
		{"after the text", []text.Edit{edit(5, 11, "")}},
		{"swapped", []text.Edit{edit(5, 3, "")}},
	} {
		got, err := text.Apply("0123456789", c.edits)
		if err == nil || !strings.Contains(err.Error(), "overlaps another edit or exceeds the text") || got != "0123456789" {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
}

func TestSpan(t *testing.T) {
	s := text.Span{Start: 2, End: 5}
	if s.Len() != 3 || s.Empty() || !(text.Span{Start: 2, End: 2}).Empty() {
		t.Error("length")
	}
	if !s.Contains(s) || s.Contains(text.Span{Start: 1, End: 3}) || s.Contains(text.Span{Start: 4, End: 6}) {
		t.Error("contains")
	}
	if !s.Touches(2) || !s.Touches(5) || s.Touches(1) || s.Touches(6) {
		t.Error("touches")
	}
	if s.Cover(text.Span{Start: 0, End: 3}) != (text.Span{Start: 0, End: 5}) || s.Shift(-2) != (text.Span{Start: 0, End: 3}) {
		t.Error("cover or shift")
	}
}
