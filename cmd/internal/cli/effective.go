package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/effective"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
)

// reportEffective draws what will be graded beside the source of each file.
func (s *session) reportEffective(results []checkedFile) error {
	var out strings.Builder
	for i, r := range results {
		if i > 0 {
			out.WriteByte('\n')
		}
		fmt.Fprintf(&out, "%s\n%s", r.path, effective.Render(r.source, r.effects))
	}
	_, err := io.WriteString(s.stdout, out.String())
	return err
}

// effectsOf are what a file comes to; one of ADK's by the rules that the settings for it
// name.
func (o *checkOptions) effectsOf(a *analysis.Analysis, in analysis.Input) ([]effective.Effect, error) {
	if a.ADK() == adk.None {
		return effective.Describe(a, in, ""), nil
	}
	profile, err := o.settings.ADKProfile(in.Path)
	return effective.Describe(a, in, cmp.Or(profile, metric.Latest)), err
}
