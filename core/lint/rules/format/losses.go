package format

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/assertion"
	v4 "github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "loader-loss",
	Severity: diag.Warning,
	Highest:  diag.Error,
	Run: func(p *lint.Pass) {
		for _, loss := range p.Suite.Losses {
			message, known := lossMessages[loss.Kind]
			if include, ok := p.NodeAt(loss.Span).Get("include").Str(); ok && !known && loss.IsCostly() {
				message.text, known, loss.Detail = "the runner skips an assertion of `%s`, or the test for it", true, include
			}
			if !known || isExplained(p, loss) || p.Suite.Version == "" && loss.Kind != agentv.MessageInvalid {
				continue // other rules cover the oldest version: missing-key, wrong-type, evaluator-skipped
			}
			detail := loss.Detail
			if loss.Kind == agentv.CaseIncomplete {
				if detail = strings.Join(missingKeys(p, loss), " and no "); detail == "" {
					continue
				}
			}
			if loss.Kind != v4.TableInvalid && loss.Kind != v4.RowLost && loss.Kind != v4.NoGraders { // which have a reason
				detail = lint.Abbreviate(detail)
			}
			d := p.Report(loss.Span, "%s", strings.ReplaceAll(message.text, "%s", detail))
			d.Fixes = lossFixes(p, loss)
			if loss.IsCostly() {
				d.Severity = diag.Error
			}
			if message.isOwnLimit {
				d.Severity = diag.Info
			}
			if p.ReadFile != nil && (loss.Kind == v4.TestsInOtherFile || loss.Kind == v4.ScenariosInOtherFile) {
				d.Severity = diag.Warning // a run has fewer cases than the runner
			}
		}
	},
})

// lossFixes returns the fixes for the losses that one entry causes.
func lossFixes(p *lint.Pass, loss rubric.Loss) []diag.Fix {
	n := p.NodeAt(loss.Span)
	switch {
	case n == nil || n.Parent == nil:
	case loss.Kind == assertion.RequiredRanged && n.Key != nil && n.Key.Key.Value == "required": // in this file
		return fix.RemoveEntry(p.Source, n, "remove `required`")
	case loss.Kind == v4.TurnsWithoutMode:
		return fix.AddEntry(p.Source, "add `mode: conversation`", n.Parent, "mode", scalar.FormatLike(n.Key.Key, "conversation"))
	}
	return nil
}

// isExplained reports whether a mismatch at the same place already explains the loss.
func isExplained(p *lint.Pass, loss rubric.Loss) bool {
	span := loss.Span
	if loss.Kind == v4.NoGraders {
		span = p.Suite.LossSpan(loss)
	}
	return slices.ContainsFunc(p.Mismatches, func(m conform.Mismatch) bool {
		return m.Span.Meets(span) && explainsLoss(m, loss)
	})
}

// explainsLoss reports whether the diagnostic of a mismatch is severe enough to explain a
// loss. Only an error explains a costly one.
func explainsLoss(m conform.Mismatch, loss rubric.Loss) bool {
	return !m.IsHarmless() && (m.IsRefused || !slices.Contains(mildKinds, m.Kind) || !loss.IsCostly())
}

// mildKinds are the kinds of mismatch that are not always errors.
var mildKinds = []conform.Kind{conform.NoValue, conform.BlankText, conform.TwoNames, conform.UnknownKey, conform.RemovedKey}

// missingKeys returns the keys that a skipped test lacks and that no mismatch reports. A
// mismatch about a misspelt or renamed key counts too.
func missingKeys(p *lint.Pass, loss rubric.Loss) (names []string) {
	within := p.Suite.LossSpan(loss)
	for name := range strings.SplitSeq(loss.Detail, ", ") {
		isReported := slices.ContainsFunc(p.Mismatches, func(m conform.Mismatch) bool {
			named := m.Field != nil && m.Field.Key == name || m.Suggestion != "" && m.Owner != nil && m.Owner.Name == "test"
			return named && within.Contains(m.Span) && explainsLoss(m, loss)
		})
		if !isReported {
			names = append(names, name)
		}
	}
	return names
}

// lossMessage is the message for a kind of loss; %s is its detail.
type lossMessage struct {
	text       string
	isOwnLimit bool // the runner reads it, rubric does not
}

// lossMessages are the messages for losses of later versions that no other rule reports.
var lossMessages = map[string]lossMessage{
	agentv.CaseIncomplete:              {text: "the runner skips this test: it has no %s"},
	v4.TestInvalid:                     {text: "the runner skips this test: it is no mapping; a file of tests in a list is `file://` and its path"},
	v4.NoGraders:                       {text: "nothing grades this test; %s"},
	v4.InputFilesRefused:               {text: "the runner skips this test: `input_files` is a list of paths, and `input` beside it one text"},
	v4.TargetsUnread:                   {text: "the runner reads the `targets` of a test only if the file's `execution` has several"},
	v4.NoTarget:                        {text: "the file's `targets` have none of these, so the runner does not run this test"},
	v4.TrialsUnread:                    {text: "the runner does not read the `trials` of a test; write them under the file's `execution`"},
	v4.ThresholdUnread:                 {text: "the runner does not read the `threshold` of a test; write it under `run`"},
	"criteria_with_assert":             {text: "`criteria` is not graded if there is `assert`, and the runner's `validate` refuses the file; make it one of the assertions"},
	"turns_without_mode":               {text: "`turns` needs `mode: conversation`; the runner ignores them, and its `validate` refuses the file"},
	"turn_type_unknown":                {text: "the runner scores the type `%s` 0 in a turn; write plain texts or `llm-grader`"},
	"mode_unknown":                     {text: "there is no mode `%s`; the runner ignores it, and `rubric` does not run this test"},
	"mode_without_turns":               {text: "`mode: conversation` needs `turns`; the runner's `validate` refuses the file"},
	"prompt_invalid":                   {text: "this prompt is not a text, messages or a file; the runner refuses the file"},
	agentv.MessageInvalid:              {text: "this message has no known role or no content; the runner drops it"},
	"required_ignored_with_ranges":     {text: "`required` is ignored if there are `score_ranges`; `min_score` is the gate"},
	"rubric_value_free_form":           {text: "this list has no valid criterion; the judge sees it as plain text, without weights and gates"},
	"rubric_required_defaulted":        {text: "`required` is ignored"},
	"assert_set_no_members_skipped":    {text: "no member of `%s` can be used; the runner skips it"},
	"composite_no_members_skipped":     {text: "no member of this composite can be used; the runner skips it"},
	"member_negate_unread":             {text: "the runner ignores `negate` in a set or a composite, so that the result counts as it is"},
	"skill_negated_twice":              {text: "the runner inverts this check twice, so that it is not inverted; use the type `not-skill-used`"},
	"rubric_prompt_file_without_value": {text: "the runner skips this rubric: besides a prompt file it needs a `value`"},
	"agent_rubric_asked_plainly":       {text: "AgentV gives this rubric to an agent with tools; a run here asks the judge as for `llm-rubric`, without tools"},
	"field_accuracy_without_data":      {text: "the runner compares these fields with nothing, and the score is 0: it does not read `expected_output`"},
	"include_not_found":                {text: "there is no template `%s`; the runner refuses the test"},
	"include_invalid":                  {text: "`%s` has no list of assertions; the runner refuses the test"},
	"include_cycle":                    {text: "`%s` includes itself; the runner refuses the test"},
	"include_too_deep":                 {text: "`%s` is included by too many others; the runner refuses the test"},
	"key_refused":                      {text: "%s; the runner refuses the file"},
	"include_with_other_keys_skipped":  {text: "the runner skips this entry: `include` takes no other keys"},
	"tests_file_missing":               {text: "there is no file `%s`; the runner refuses the file"},
	"tests_pattern_unmatched":          {text: "no file matches `%s`"},
	"tests_of_file_skipped":            {text: "the runner skips %s; check that file"},
	"tests_file_invalid":               {text: "`%s` holds no list of tests; the runner refuses the file"},
	"default_test_invalid":             {text: "`%s` holds no mapping; the runner refuses the file"},
	"tests_format_refused":             {text: "this version of the runner reads tests only from .yaml, .yml and .jsonl files, and refuses the file for `%s`"},
	"tests_row_lost":                   {text: "%s"},
	"tests_table_invalid":              {text: "the runner refuses the file for the table %s"},
	"aliases_endless":                  {text: "the aliases of this file never end"},
	"include_unread":                   {text: "the content of `%s` is not checked", isOwnLimit: true},
	"tests_elsewhere":                  {text: "the tests of `%s` are neither checked nor run here", isOwnLimit: true},
	"scenarios_elsewhere":              {text: "the scenarios of `%s` are neither checked nor run here", isOwnLimit: true},
	"prompt_unread":                    {text: "the prompt that this `%s` writes is not checked", isOwnLimit: true},
	"default_test_elsewhere":           {text: "the defaults for all tests in `%s` are not checked", isOwnLimit: true},
}

var _ = lint.Register(pages, lint.Rule{
	ID:       "evaluator-skipped",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		p.ReportLosses("minimums_missing_skipped", "the mode `any_order` needs `minimums`; the runner skips the evaluator", func(mode *yaml.Node) []diag.Fix { return countExpected(p, mode.Parent) })
		p.ReportLosses("expected_missing_skipped", "this mode needs a list `expected`; the runner skips the evaluator", nil)
	},
})

// countExpected is the fix that adds `minimums` for the calls that an evaluator expects.
func countExpected(p *lint.Pass, evaluator *yaml.Node) []diag.Fix {
	minimums := map[string]int{}
	for _, step := range evaluator.Get("expected").List() {
		tool, ok := step.Get("tool").Str()
		if !ok {
			return nil
		}
		minimums[tool]++
	}
	if written, err := json.Marshal(minimums); err == nil && len(minimums) > 0 && evaluator.Get("minimums") == nil {
		return fix.AddEntry(p.Source, "require the expected calls in `minimums`", evaluator, "minimums", string(written))
	}
	return nil
}

var _ = lint.Register(pages, lint.Rule{
	ID:       "empty-rubric",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		if !p.HasCases() {
			return
		}
		p.EachNode(func(n *yaml.Node) {
			isTooShort := func(m conform.Mismatch) bool { return m.Kind == conform.WrongLength && m.Node == n } // see out-of-bounds
			if isRubricEntry(n) && n.Kind == yaml.Sequence && len(n.Items) == 0 && !n.Recovered && !slices.ContainsFunc(p.Mismatches, isTooShort) {
				d := p.Report(n.Span, "this rubric has no criteria; the judge grades the expected outcome as a whole")
				d.Fixes = fix.RemoveEntry(p.Source, n, "remove the rubric")
			}
		})
		p.EachMismatch(conform.NoValue, func(m conform.Mismatch) {
			if isNullRubric(p, m) {
				p.Report(m.Span, "this rubric is empty; the judge grades the expected outcome as a whole")
			}
		})
	},
})

func isRubricEntry(n *yaml.Node) bool { return n.Key != nil && n.Key.Key.Value == "rubrics" }

// isNullRubric reports whether m is about a case or judge whose rubric has no value.
func isNullRubric(p *lint.Pass, m conform.Mismatch) bool {
	return p.HasCases() && m.Kind == conform.NoValue && isRubricEntry(m.Node) && !m.Field.Required
}
