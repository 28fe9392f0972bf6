package v4

import (
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Kinds of losses that only whole files have. Packages agentv, assertion and bands define the
// others.
const (
	TestsMissing           = "tests_missing"               // the list of tests is missing
	TestInvalid            = "test_invalid_skipped"        // a test that is not a mapping
	TestsInOtherFile       = "tests_elsewhere"             // tests in another file that is not read; Detail is its name
	ScenariosInOtherFile   = "scenarios_elsewhere"         // the same of scenarios
	FileMissing            = "tests_file_missing"          // a file of tests or scenarios does not exist; Detail is its name
	PatternUnmatched       = "tests_pattern_unmatched"     // no file matches a pattern; Detail is the pattern
	FileInvalid            = "tests_file_invalid"          // refused: a file without a list of tests or scenarios; Detail is its name
	TableInvalid           = "tests_table_invalid"         // refused: a table; Detail is its name and why
	RowLost                = "tests_row_lost"              // a row of a table, or an assertion of it; Detail is its name and why
	FormatRefused          = "tests_format_refused"        // refused: a file of tests of another format than the version reads; Detail is its name
	TestsSkipped           = "tests_of_file_skipped"       // refused: tests of another file; Detail says how many and which file
	PromptInvalid          = "prompt_invalid"              // refused: neither string, messages nor file
	PromptUnread           = "prompt_unread"               // a prompt that a program writes
	DefaultTestInOtherFile = "default_test_elsewhere"      // a default test in another file that is not read; Detail is its name
	DefaultTestInvalid     = "default_test_invalid"        // refused: a file of a default test that is no mapping; Detail is its name
	TurnsWithoutMode       = "turns_without_mode"          // the runner ignores the turns, and its `validate` refuses the file
	ModeUnknown            = "mode_unknown"                // the runner ignores the mode; Detail is its name
	ModeWithoutTurns       = "mode_without_turns"          // the runner asks the prompt alone, and its `validate` refuses the file
	TurnType               = "turn_type_unknown"           // the type of a turn's assertion that the runner knows only elsewhere; Detail is its name
	NoGraders              = "test_asserts_nothing"        // a test without graders; Detail says what scores it
	InputFilesRefused      = "input_files_refused"         // refused: `input_files` with an input that is no text, or without files
	KeyRefused             = "key_refused"                 // refused: the value of a key; Detail says what it takes
	ThresholdRefused       = "threshold_refused"           // refused: a suite's threshold that is not a number from 0 to 1
	TargetsUnread          = "test_targets_unread"         // the targets of a test in a file without several
	NoTarget               = "test_without_target_skipped" // a test for none of the file's targets
	TrialsUnread           = "test_trials_unread"          // the trials of one test, which the runner does not read
	ThresholdUnread        = "test_threshold_unread"       // a test's own `threshold`, which the runner does not read
	CriteriaWithAssert     = "criteria_with_assert"        // `criteria` is ignored next to `assert`
)

// FailFile records a loss for which the loader rejects the file.
func (l *Loader) FailFile(kind string, n *yaml.Node, detail string) {
	l.AddLoss(kind, rubric.Refuses, n, detail).Fatal = true
}
