package rubric

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
)

// Criterion is one thing to judge: satisfied or not, or a score from 0 to 10 if it has bands.
type Criterion struct {
	ID       string
	AutoID   bool // the file has no id; the runner numbers the criterion
	Text     string
	Weight   float64  // default 1; the runner accepts any number
	Required *bool    // nil if not written; see [Criterion.IsRequired]
	MinScore *float64 // 0–10, nil if none: required_min_score, or ten times a later dialect's min_score
	Bands    []Band   // empty for a checklist criterion
	Operator string   `json:",omitempty"` // Correctness or Contradiction; "" if not written

	Span         text.Span `json:"-"` // the whole item
	IDSpan       text.Span `json:"-"` // the value of the id; empty for AutoID
	TextSpan     text.Span `json:"-"`
	WeightSpan   text.Span `json:"-"` // empty if defaulted, like the next two
	RequiredSpan text.Span `json:"-"`
	MinScoreSpan text.Span `json:"-"`
	OperatorSpan text.Span `json:"-"` // empty if not written
	BandsSpan    text.Span `json:"-"` // the value of score_ranges; empty if not written
}

// HasBands reports whether the criterion is graded 0 to 10.
func (c *Criterion) HasBands() bool { return len(c.Bands) > 0 }

// IsRequired reports whether the criterion is a required gate. By default a checklist
// criterion is one and a criterion with bands is not.
func (c *Criterion) IsRequired() bool {
	if c.Required != nil {
		return *c.Required
	}
	return !c.HasBands()
}

// DisplayName returns the criterion's text, or its id if it has no text.
func (c *Criterion) DisplayName() string { return cmp.Or(c.Text, c.ID) }

// DisplaySpan returns the span that stands for the criterion: its id, its text or all of it.
func (c *Criterion) DisplaySpan() text.Span {
	for _, span := range []text.Span{c.IDSpan, c.TextSpan} {
		if !span.Empty() {
			return span
		}
	}
	return c.Span
}

// Band is one labelled score range with both ends included. In a valid file the bands of a
// criterion are whole numbers that cover 0 to 10 without overlap. The runner does not check
// inline rubrics, so Band may hold any numbers.
type Band struct {
	Lo, Hi float64
	Text   string
	Span   text.Span `json:"-"`
}

// Ends of the scale for criteria with bands, both included.
const (
	LowestScore  = 0
	HighestScore = 10
)

// String returns the band's scores: "0–4", or "10" if both ends are equal.
func (b Band) String() string {
	lo, hi := strconv.FormatFloat(b.Lo, 'f', -1, 64), strconv.FormatFloat(b.Hi, 'f', -1, 64)
	if lo == hi {
		return lo
	}
	return lo + "–" + hi
}

// Contains reports whether score lies in the band.
func (b Band) Contains(score float64) bool { return b.Lo <= score && score <= b.Hi }

// BandFault is a kind of invalid band.
type BandFault string

const (
	FractionalBound BandFault = "fractional" // an end is not a whole number
	BoundOutOfRange BandFault = "outside"    // an end is below 0 or above 10
	ReversedBounds  BandFault = "reversed"   // the lower end is above the upper end
)

// Fault returns the first fault of the band, or "".
func (b Band) Fault() BandFault {
	switch {
	case math.Trunc(b.Lo) != b.Lo || math.Trunc(b.Hi) != b.Hi:
		return FractionalBound
	case b.Lo < LowestScore || b.Lo > HighestScore || b.Hi < LowestScore || b.Hi > HighestScore:
		return BoundOutOfRange
	case b.Lo > b.Hi:
		return ReversedBounds
	}
	return ""
}

// OverlappingBands returns, for each band that shares a score with an earlier band, the
// indices of the first such earlier band and of the band. Touching ends share a score.
func OverlappingBands(bands []Band) [][2]int {
	var pairs [][2]int
	for j, b := range bands {
		i := slices.IndexFunc(bands[:j], func(a Band) bool { return max(a.Lo, b.Lo) <= min(a.Hi, b.Hi) })
		if i >= 0 {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	return pairs
}

// UncoveredScores returns the whole scores from 0 to 10 that no band contains.
func UncoveredScores(bands []Band) []int {
	var missing []int
	for score := LowestScore; score <= HighestScore; score++ {
		if !slices.ContainsFunc(bands, func(b Band) bool { return b.Contains(float64(score)) }) {
			missing = append(missing, score)
		}
	}
	return missing
}

const autoIDPrefix = "rubric-"

// AutoID returns the id of a criterion that has none in the file. Number is its place in the
// list, counted from 1.
func AutoID(number int) string { return autoIDPrefix + strconv.Itoa(number) }

// IsAutoID reports whether id has the form that [AutoID] returns. Such an id identifies a
// position in one case and says nothing about the criterion.
func IsAutoID(id string) bool {
	number, ok := strings.CutPrefix(id, autoIDPrefix)
	return ok && number != "" && strings.Trim(number, "0123456789") == ""
}
