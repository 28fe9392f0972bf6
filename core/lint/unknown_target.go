package lint

import (
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/spell"
)

var _ = add(Rule{
	ID:       "unknown-target",
	Summary:  "An eval file names a target that its targets file does not have",
	Severity: diag.Warning,
	Why: `
The target is looked up by its name in the nearest targets.yaml, beside the eval file or above it. A name that is not
there stops the run before the first case.
`,
	Bad: `
execution:
  target: ⟦prdo⟧
evalcases:
  - id: refund
    expected_outcome: Follows the policy
    input: Can I send the lamp back?
`,
	Good: `
execution:
  target: prod
evalcases:
  - id: refund
    expected_outcome: Follows the policy
    input: Can I send the lamp back?
`,
	Beside: map[string]string{"targets.yaml": "targets: [{ name: prod, provider: mock }]"},
	Run: func(p *Pass) {
		if p.Targets == nil || p.Role != "eval" && p.Role != "newer" {
			return // there is no targets file, or nobody can tell
		}
		at := p.Tree.Root().Get("execution").Get("target")
		if at == nil {
			at = p.Tree.Root().Get("target")
		}
		if name, ok := at.Str(); ok && name != "" && !slices.Contains(p.Targets, name) {
			d := p.Report(at.Span, "there is no target `%s` in the targets file%s", shortened(name), spell.DidYouMean(name, p.Targets))
			if near := spell.Nearest(name, p.Targets); near != "" {
				d.Fixes = replaced(at, scalar.Like(at, near), "change to `"+near+"`")
				d.Fixes[0].Safe = false // a guess
			}
		}
	},
})
