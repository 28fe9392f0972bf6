package grade

import (
	"fmt"

	"github.com/rubric-ls/rubric/core/pattern/ecmascript"
	"github.com/rubric-ls/rubric/core/rubric"
)

// Unsupported returns why g leaves every answer ungraded, on any host and with any permission, or
// "".
func Unsupported(g *rubric.Grader) string {
	if own, ok := g.DialectData.(Dialect); ok {
		return own.Unsupported()
	}
	switch normalizedKind(g) {
	case rubric.External:
		if a := externalAssertion(g); interpreters[a.Type] == nil {
			return fmt.Sprintf("`%s` needs a plugin, a service or a trace that is not available here", a.Type)
		}
	case rubric.TraceSteps:
		check := stepChecks[g.Assert.Type]
		if typ := g.Assert.Type; typ == rubric.SkillUsed || typ == rubric.NotSkillUsed {
			check = func(a rubric.Assertion, _ []traceStep) (bool, string, error) {
				return checkSkillUsed(a.Value, typ == rubric.NotSkillUsed, nil)
			}
		}
		if check != nil {
			if _, _, err := check(*g.Assert, nil); err != nil {
				return err.Error()
			}
		}
	case rubric.Deterministic:
		if g.Assert == nil || g.Assert.Type != rubric.Regex {
			return ""
		}
		texts, err := assertionTexts(*g.Assert)
		if err == nil {
			_, err = ecmascript.Compile(texts[0], g.Assert.Flags)
		}
		if err != nil {
			return err.Error()
		}
	}
	return ""
}
