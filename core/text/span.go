package text

// Span is a half-open interval of byte offsets, [Start, End). An empty span is
// a caret between two bytes. There is no "unknown place": a finding about a
// whole file points at its first key.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Len is the number of bytes inside the span.
func (s Span) Len() int { return s.End - s.Start }

// Empty reports whether the span is a caret.
func (s Span) Empty() bool { return s.End <= s.Start }

// Contains reports whether inner lies within s; a span contains itself.
func (s Span) Contains(inner Span) bool { return s.Start <= inner.Start && inner.End <= s.End }

// Touches reports whether offset lies inside s or at either end, the way a
// cursor "is on" a word.
func (s Span) Touches(offset int) bool { return s.Start <= offset && offset <= s.End }

// Cover is the smallest span that contains both.
func (s Span) Cover(other Span) Span {
	return Span{min(s.Start, other.Start), max(s.End, other.End)}
}

// Shift moves the span by delta bytes.
func (s Span) Shift(delta int) Span { return Span{s.Start + delta, s.End + delta} }
