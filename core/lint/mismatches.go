package lint

import (
	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// eachMismatch visits the mismatches of one kind. A diagnostic about a value that the
// runner refuses becomes an error.
func (p *Pass) eachMismatch(kind conform.Kind, visit func(conform.Mismatch)) {
	for _, m := range p.Mismatches {
		if m.Kind != kind {
			continue
		}
		before := len(p.diagnostics)
		visit(m)
		for i := before; m.IsRefused && i < len(p.diagnostics); i++ {
			p.diagnostics[i].Severity = diag.Error
		}
	}
}

// runnerLoss is the end of a message that says what the runner does: "; the runner skips
// the case", or "" for nothing.
func runnerLoss(action string) string {
	if action == "" {
		return ""
	}
	return "; the runner " + action
}

// mismatchLoss is the runnerLoss of a mismatch.
func mismatchLoss(m conform.Mismatch) string {
	if m.Field == nil && m.IsRefused {
		return runnerLoss("refuses the file")
	}
	return fieldLoss(m.Field)
}

// fieldLoss is the runnerLoss of a field without a valid value.
func fieldLoss(f *schema.Field) string {
	if f == nil {
		return ""
	}
	return runnerLoss(f.OnInvalid)
}

// typeNoun returns the name of a mapping type.
func typeNoun(t *schema.Type) string {
	if t == nil || t.Name == "" {
		return "mapping"
	}
	return t.Title()
}

// mismatchSubject names the value that a mismatch is about.
func mismatchSubject(m conform.Mismatch) string {
	switch {
	case m.Key != "":
		return "`" + m.Key + "`"
	case m.Field != nil:
		return "an item of `" + m.Field.Key + "`"
	}
	return "the " + typeNoun(m.Type)
}

// describeValue returns a value of a wrong type in words.
func describeValue(n *yaml.Node) string {
	target := n.Follow()
	switch {
	case n.IsSeq():
		return "a list"
	case n.IsMap():
		return "a mapping"
	case target == nil || target.IsNull():
		return "nothing"
	}
	if _, ok := target.Str(); ok {
		return "the text `" + abbreviate(target.Value) + "`"
	}
	return "`" + abbreviate(target.Value) + "`"
}

// lossMessage is the message for a kind of loss; %s is its detail.
type lossMessage struct {
	text       string
	isOwnLimit bool // the runner reads it, rubric does not
}

// lossMessages are the messages for losses of later versions that no other rule reports.
var lossMessages = map[string]lossMessage{
	lossIncomplete:                  {text: "the runner skips this test: it has no %s"},
	lossUngraded:                    {text: "nothing grades this test; %s"},
	"criteria_with_assert":          {text: "`criteria` is not graded if there is `assert`, and the runner's `validate` refuses the file; make it one of the assertions"},
	"turns_without_mode":            {text: "`turns` needs `mode: conversation`; the runner ignores them, and its `validate` refuses the file"},
	"mode_unknown":                  {text: "there is no mode `%s`; the runner ignores it, and `rubric` does not run this test"},
	"mode_without_turns":            {text: "`mode: conversation` needs `turns`; the runner's `validate` refuses the file"},
	"prompt_invalid":                {text: "this prompt is not a text, messages or a file; the runner refuses the file"},
	lossDropped:                     {text: "this message has no known role or no content; the runner drops it"},
	"required_ignored_with_ranges":  {text: "`required` is ignored if there are `score_ranges`; `min_score` is the gate"},
	"rubric_value_free_form":        {text: "this list has no valid criterion; the judge sees it as plain text, without weights and gates"},
	"rubric_required_defaulted":     {text: "`required` is ignored"},
	"assert_set_no_members_skipped": {text: "no member of `%s` can be used; the runner skips it"},
	"composite_no_members_skipped":  {text: "no member of this composite can be used; the runner skips it"},
	"include_not_found":             {text: "there is no template `%s`; the runner refuses the test"},
	"include_invalid":               {text: "`%s` has no list of assertions; the runner refuses the test"},
	"include_cycle":                 {text: "`%s` includes itself; the runner refuses the test"},
	"include_too_deep":              {text: "`%s` is included by too many others; the runner refuses the test"},
	"tests_file_missing":            {text: "there is no file `%s`; the runner refuses the file"},
	"tests_of_file_skipped":         {text: "the runner skips %s; check that file"},
	"tests_file_invalid":            {text: "`%s` holds no list of tests; the runner refuses the file"},
	"aliases_endless":               {text: "the aliases of this file never end"},
	"include_unread":                {text: "the content of `%s` is not checked", isOwnLimit: true},
	"tests_elsewhere":               {text: "the tests of `%s` are not checked", isOwnLimit: true},
	"scenarios_elsewhere":           {text: "the scenarios of `%s` are not checked", isOwnLimit: true},
	"prompt_unread":                 {text: "the prompt that this `%s` writes is not checked", isOwnLimit: true},
	"default_test_elsewhere":        {text: "the defaults for all tests in `%s` are not checked", isOwnLimit: true},
}
