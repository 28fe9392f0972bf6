package run

import (
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/score"
)

// A Variant tells several results of one case apart: whom was asked, how, and who judged.
type Variant struct {
	Target string `json:"target,omitempty"`
	Prompt string `json:"prompt,omitempty"`
	Judge  string `json:"judge,omitempty"`
}

// variantFields lists the fields of a [Variant], each with its name. Results differ by a field if all
// before it are equal.
var variantFields = []struct {
	name string
	of   func(*Variant) *string
}{
	{"target", func(v *Variant) *string { return &v.Target }},
	{"prompt", func(v *Variant) *string { return &v.Prompt }},
	{"judge", func(v *Variant) *string { return &v.Judge }},
}

// Variant returns the variant that the record is of.
func (r Record) Variant() Variant { return Variant{r.Target, r.Prompt, r.Judge} }

// Asked names the target, with the prompt if there is one.
func (r Record) Asked() string {
	if r.Prompt == "" {
		return r.Target
	}
	return r.Target + " with the prompt " + r.Prompt
}

// Variant returns the variant of the run's records.
func (r Runner) Variant() Variant {
	v := Variant{Target: r.TargetName, Judge: r.JudgeName}
	if r.Prompt != nil {
		v.Prompt = r.Prompt.Name
	}
	return v
}

// String returns the fields that are set.
func (v Variant) String() string {
	var names []string
	for _, f := range variantFields {
		if name := *f.of(&v); name != "" {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// Varied says which fields of the variants of a run differ: these have their name, such as "target", and the
// others are "".
type Varied struct{ Variant }

// Add adds the fields that v has.
func (varied *Varied) Add(v Variant) {
	for _, f := range variantFields {
		if *f.of(&v) != "" {
			*f.of(&varied.Variant) = f.name
		}
	}
}

// FindVaried returns what differs between the results that records have of the same case.
func FindVaried(records []Record) (varied Varied) {
	type place struct {
		of     score.CaseKey
		field  string
		before Variant // the fields before
	}
	values := map[place]string{}
	for _, r := range records {
		v, before := r.Variant(), Variant{}
		for _, f := range variantFields {
			at, value := place{caseKey(r), f.name, before}, *f.of(&v)
			if known, found := values[at]; found && known != value {
				*f.of(&varied.Variant) = f.name
			}
			values[at], *f.of(&before) = value, value
		}
	}
	return varied
}

// Of returns v with only the fields that differ.
func (varied Varied) Of(v Variant) Variant {
	for _, f := range variantFields {
		if *f.of(&varied.Variant) == "" {
			*f.of(&v) = ""
		}
	}
	return v
}

// A VariantGroup holds the records of one variant.
type VariantGroup struct {
	Name    string
	Records []Record
}

// Group divides records by what differs, in order of first appearance.
func (varied Varied) Group(records []Record) (groups []VariantGroup) {
	index := map[string]int{}
	for _, rec := range records {
		name := varied.Of(rec.Variant()).String()
		i, known := index[name]
		if !known {
			i = len(groups)
			index[name], groups = i, append(groups, VariantGroup{Name: name})
		}
		groups[i].Records = append(groups[i].Records, rec)
	}
	return groups
}

// forText names the fields that are set, after a comparison with a minimum.
func (v Variant) forText() (text string) {
	for _, f := range variantFields {
		if name := *f.of(&v); name != "" {
			text += fmt.Sprintf(" for the %s `%s`", f.name, name)
		}
	}
	return text
}
