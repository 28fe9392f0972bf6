package rubric

import "github.com/rubric-ls/rubric/core/text"

// Criterion is one thing to judge: satisfied or not, or, when it has bands, 0 to 10.
type Criterion struct {
	ID       string
	AutoID   bool // no id was written; the runner numbers it
	Text     string
	Weight   float64  // 1 by default; the runner accepts any number
	Required *bool    // nil: not written (see Gated)
	MinScore *float64 // required_min_score, 0–10; nil: none; a newer dialect's min_score, 0–1, times ten
	Bands    []Band   // empty: a checklist criterion
	Operator string   `json:",omitempty"` // Correctness or Contradiction; "": not written

	Span         text.Span `json:"-"` // the whole item
	IDSpan       text.Span `json:"-"` // the id's value; empty for AutoID
	TextSpan     text.Span `json:"-"`
	WeightSpan   text.Span `json:"-"` // empty when defaulted, as are the next two
	RequiredSpan text.Span `json:"-"`
	MinScoreSpan text.Span `json:"-"`
	OperatorSpan text.Span `json:"-"` // empty if none is written
	BandsSpan    text.Span `json:"-"` // of the value of score_ranges; empty if none is written
}

// HasBands reports whether the criterion is graded 0 to 10.
func (c *Criterion) HasBands() bool { return len(c.Bands) > 0 }

// IsRequired reports whether the criterion is a gate by being required: by default a
// checklist criterion is, one with bands is not.
func (c *Criterion) IsRequired() bool {
	if c.Required != nil {
		return *c.Required
	}
	return !c.HasBands()
}

// DisplayName is what people call the criterion: its text, or its id when it has none.
func (c *Criterion) DisplayName() string {
	if c.Text != "" {
		return c.Text
	}
	return c.ID
}
