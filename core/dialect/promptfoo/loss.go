package promptfoo

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// lossKind is something that promptfoo drops, assumes or refuses.
type lossKind struct {
	name    string
	level   rubric.Level
	isFatal bool // promptfoo refuses the file
}

// Losses that have a fix.
const (
	VarsScheme        = "promptfoo_vars_scheme"
	DefaultTestScheme = "promptfoo_default_test_scheme"
)

var (
	promptMissing     = refusal("promptfoo_prompt_missing", "there is no file `%s`; the runner refuses the file")
	promptsUnmatched  = newLoss("promptfoo_prompts_unmatched", rubric.Warns, "no file matches `%s`; the pattern itself becomes the prompt")
	testsMissing      = newLoss("promptfoo_tests_missing", rubric.Refuses, "there is no file `%s`; the runner goes on without its tests, and may pass with none")
	testsUnknownKind  = newLoss("promptfoo_tests_unknown_kind", rubric.Refuses, "the runner reads no tests from a file like `%s`, and may pass with none")
	testsFileMissing  = refusal("promptfoo_tests_file_missing", "there is no file `%s`; the runner refuses the file")
	testsFileInvalid  = refusal("promptfoo_tests_file_invalid", "the runner refuses the file for %s")
	testsElsewhere    = newLoss("promptfoo_tests_elsewhere", rubric.Silent, "the tests of `%s` are neither checked nor run here")
	testEmpty         = refusal("promptfoo_test_empty", "")
	assertInvalid     = refusal("promptfoo_assert_invalid", "")
	noProviders       = refusal("promptfoo_no_providers", "")
	labelUnknown      = refusal("promptfoo_label_unknown", "no prompt or provider is called `%s`; the runner refuses the file")
	providerIdle      = newLoss("promptfoo_provider_idle", rubric.Refuses, "no prompt has one of these labels; the provider `%s` is asked nothing, and the run passes")
	providerTwice     = newLoss("promptfoo_provider_twice", rubric.Warns, "this is the same as an earlier entry for `%s`, which alone counts; give both a `label`")
	nameTwice         = newLoss("promptfoo_name_twice", rubric.Warns, "an earlier provider is called `%s`, too; give both a `label` of their own")
	providerConfig    = newLoss("promptfoo_provider_config", rubric.Silent, "`rubric run` asks this provider without `%s`; a target in targets.yaml can have such settings")
	nothingSelected   = newLoss("promptfoo_nothing_selected", rubric.Refuses, "these `%s` select nothing; the test does not run, and the run passes")
	scenarioEmpty     = newLoss("promptfoo_scenario_empty", rubric.Refuses, "this scenario has no %s; nothing of it runs, and the run passes")
	varsScheme        = newLoss(VarsScheme, rubric.Warns, "the runner ignores `%s`; write the path without `file://`")
	defaultTestScheme = newLoss(DefaultTestScheme, rubric.Warns, "the runner ignores `%s`; write `file://` before the path")
	defaultTestLost   = refusal("promptfoo_default_test_lost", "there is no mapping in `%s`; the runner refuses the file")
	templateInvalid   = newLoss("promptfoo_template_invalid", rubric.Refuses, "this template cannot be filled in, and each row is an error: %s")
	numberLost        = newLoss("promptfoo_number_lost", rubric.Warns, "`%s` in this table: the runner ignores the number in parentheses")
	numberAssumed     = newLoss("promptfoo_number_assumed", rubric.Warns, "`%s` in this table has no number in parentheses: the limit is 0.75")
)

// lossMessages are the messages by the names of losses. `%s` is the detail. A loss without a message is a mismatch
// with the field table, too.
var lossMessages = map[string]string{}

func newLoss(name string, level rubric.Level, message string) lossKind {
	lossMessages[name] = message
	return lossKind{name: name, level: level}
}

func refusal(name, message string) lossKind {
	lossMessages[name] = message
	return lossKind{name, rubric.Refuses, true}
}

// LossMessage returns the message of a loss, or "" if a mismatch with the field table says it.
func LossMessage(loss rubric.Loss) string {
	detail := loss.Detail
	if loss.Kind != testsFileInvalid.name { // which has a reason
		detail = excerpt.Shorten(detail, 40)
	}
	return strings.ReplaceAll(lossMessages[loss.Kind], "%s", detail)
}

func (l *loader) lose(kind lossKind, at *yaml.Node, detail string) {
	loss := rubric.Loss{Kind: kind.name, Level: kind.level, Fatal: kind.isFatal, Detail: detail}
	if at != nil {
		loss.Span = agentv.SpanOf(at)
	}
	if !slices.Contains(l.suite.Losses, loss) { // each row of a table may have it
		l.suite.Losses = append(l.suite.Losses, loss)
	}
}
