package bands_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/agentv/bands"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// TestBands checks the bands read, the losses and the faults of score ranges.
func TestBands(t *testing.T) {
	for _, c := range []struct{ ranges, keys, want, refused string }{
		{"{0: a, 3: b, 10: c}", "outcome", "0-2=a 3-9=b 10-10=c", ""},
		{"{5: b, 0: a}", "outcome", "0-4=a 5-10=b", ""},
		{"{1: a}", "outcome", "!map_must_start_at_0", "map_must_start_at_0"},
		{"{0: a, 11: b}", "outcome", "!score_ranges_wrong_type", "score_ranges_wrong_type"},
		{"{0: a, '05': b}", "outcome", "0-4=a !range_missing_outcome_dropped", "range_missing_outcome"},
		{"7", "outcome", "!score_ranges_wrong_type", "score_ranges_wrong_type"},
		{"", "outcome", "", "score_ranges_wrong_type"},
		{"[{score_range: [0, 10], outcome: a}]", "outcome", "0-10=a", ""},
		{"[{score_range: [0, 10], outcome: a}]", "description", "!range_missing_outcome_dropped", "range_missing_outcome"},
		{"[{score_range: [0, 10], a: x, b: y}]", "b a", "0-10=y", ""},
		{"[{outcome: a}]", "outcome", "0-10=a !range_defaulted", "range_not_pair"},
		{"[{score_range: [0, 4], outcome: a}, {score_range: [4, 10], outcome: b}]", "outcome", "0-4=a 4-10=b", "ranges_overlap"},
		{"[{score_range: [0, 4], outcome: a}]", "outcome", "0-4=a", "ranges_incomplete_coverage"},
		{"[{score_range: [4, 0], outcome: a}]", "outcome", "4-0=a", "range_reversed"},
		{"[{score_range: [0, 11], outcome: a}]", "outcome", "0-11=a", "range_out_of_bounds"},
		{"[{score_range: [0.5, 1], outcome: a}]", "outcome", "0.5-1=a", "range_not_integer"},
		{"[a]", "outcome", "!range_missing_outcome_dropped", "range_not_object"},
	} {
		n := yaml.Parse(text.New("t.yaml", "r: "+c.ranges)).Root().Get("r")
		found, lost := bands.Read(n, strings.Fields(c.keys)...)
		var got []string
		for _, b := range found {
			got = append(got, fmt.Sprintf("%v-%v=%s", b.Lo, b.Hi, b.Text))
		}
		for _, l := range lost {
			got = append(got, "!"+l.Kind)
		}
		if read := strings.Join(got, " "); read != c.want {
			t.Errorf("%s: read %s, want %s", c.ranges, read, c.want)
		}
		if kind := bands.Validate(n, strings.Fields(c.keys)...); kind != c.refused {
			t.Errorf("%s: refused %q, want %q", c.ranges, kind, c.refused)
		}
	}
}
