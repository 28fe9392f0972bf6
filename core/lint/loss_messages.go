package lint

// lossMessage is what is said of a kind of loss; %s is its detail. Ours is what this
// program cannot read, and the runner can.
type lossMessage struct {
	text       string
	isOwnLimit bool
}

// lossMessages are the losses of newer versions that no other rule tells of.
var lossMessages = map[string]lossMessage{
	lossIncomplete:                  {text: "the runner skips this test: it has no %s"},
	lossUngraded:                    {text: "nothing grades this test; %s"},
	"criteria_with_assert":          {text: "`criteria` is not graded beside `assert`, and the runner's `validate` refuses the file; make it one of the assertions"},
	"prompt_invalid":                {text: "this prompt is neither a text, messages nor a file; the runner refuses the file"},
	lossDropped:                     {text: "a message without a known role, or without content; the runner drops it"},
	"required_ignored_with_ranges":  {text: "`required` is not read beside `score_ranges`; `min_score` is the gate"},
	"rubric_value_free_form":        {text: "no criterion is recognised in this list; the judge is told it as it stands, without weights and gates"},
	"rubric_required_defaulted":     {text: "`required` is not read"},
	"assert_set_no_members_skipped": {text: "no member of `%s` can be used; the runner skips it"},
	"composite_no_members_skipped":  {text: "no member of this composite can be used; the runner skips it"},
	"include_not_found":             {text: "there is no template `%s`; the runner refuses the test"},
	"include_invalid":               {text: "`%s` has no list of assertions; the runner refuses the test"},
	"include_cycle":                 {text: "`%s` includes itself; the runner refuses the test"},
	"include_too_deep":              {text: "`%s` is included by too many others; the runner refuses the test"},
	"tests_file_missing":            {text: "there is no file `%s`; the runner refuses the file"},
	"tests_of_file_skipped":         {text: "the runner skips %s; look at that file"},
	"tests_file_invalid":            {text: "`%s` holds no list of tests; the runner refuses the file"},
	"aliases_endless":               {text: "the aliases of this file have no end"},
	"include_unread":                {text: "what `%s` holds is not looked at", isOwnLimit: true},
	"tests_elsewhere":               {text: "the tests of `%s` are not looked at", isOwnLimit: true},
	"scenarios_elsewhere":           {text: "the scenarios of `%s` are not looked at", isOwnLimit: true},
	"prompt_unread":                 {text: "the prompt that this `%s` writes is not looked at", isOwnLimit: true},
	"turns_unread":                  {text: "a test in turns is not run: only its prompt is asked", isOwnLimit: true},
	"default_test_elsewhere":        {text: "what `%s` holds for all tests is not looked at", isOwnLimit: true},
}
