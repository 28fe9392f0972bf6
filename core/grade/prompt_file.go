package grade

import (
	"fmt"
	"slices"

	"github.com/rubric-ls/rubric/core/rubric"
)

// RequiredVariables returns the variables of which a version of the reference requires one in the
// file of a judge's prompt. It skips a test if a file has none of them.
func RequiredVariables(version string) []string {
	if version == "" {
		return []string{"candidate_answer", "expected_messages"}
	}
	return []string{"output", "expected_output"}
}

// HasRequiredVariable reports whether the file of a judge's prompt has one of [RequiredVariables].
func HasRequiredVariable(version, prompt string) bool {
	return slices.ContainsFunc(variablePattern().FindAllStringSubmatch(prompt, -1), func(m []string) bool {
		return slices.Contains(RequiredVariables(version), m[1])
	})
}

// skipReason returns why the reference skips a case that has these graders, or "".
func skipReason(version string, graders []*rubric.Grader) string {
	for _, g := range graders {
		p := g.Prompt
		switch {
		case p == nil || p.Path == "":
		case p.IsUnread() && version != "":
			return fmt.Sprintf("the prompt file `%s` was not read", p.Path)
		case !p.IsUnread() && !HasRequiredVariable(version, p.Text):
			needed := RequiredVariables(version)
			return fmt.Sprintf("`%s` has neither `{{ %s }}` nor `{{ %s }}`", p.Path, needed[0], needed[1])
		}
		if why := skipReason(version, g.Members); why != "" {
			return why
		}
	}
	return ""
}

// SkipReason returns why the reference skips a case of a suite although its format is correct, or "".
func SkipReason(s *rubric.Suite, c *rubric.Case) string { return skipReason(s.Version, c.Graders) }
