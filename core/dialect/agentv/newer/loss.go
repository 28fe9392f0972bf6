package newer

import (
	"github.com/rubric-ls/rubric/core/dialect/agentv/loss"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Kinds of losses that only whole files have; the others are those of packages
// agentv, assertion and bands.
const (
	TestsMissing       = "tests_missing"          // there is no list of tests
	TestInvalid        = "test_invalid_skipped"   // a test that is no mapping
	TestsElsewhere     = "tests_elsewhere"        // tests in another file that is not read; Detail is its name
	ScenariosElsewhere = "scenarios_elsewhere"    // the same of scenarios
	FileMissing        = "tests_file_missing"     // a file of tests or scenarios that is not there; Detail is its name
	FileInvalid        = "tests_file_invalid"     // refused: a file that holds no list of them; Detail is its name
	TestsSkipped       = "tests_of_file_skipped"  // refused: tests of another file; Detail says how many and of which
	PromptInvalid      = "prompt_invalid"         // refused: neither text, messages nor a file
	PromptUnread       = "prompt_unread"          // a prompt that a program writes
	DefaultElsewhere   = "default_test_elsewhere" // what all tests have, in another file; Detail is its name
	TurnsUnread        = "turns_unread"           // a conversation in several turns
	AssertsNothing     = "test_asserts_nothing"   // a test without anything to grade it; Detail is what it scores
	CriteriaBeside     = "criteria_with_assert"   // `criteria` where there is `assert` as well
)

func (l *lowering) lose(kind string, level rubric.Level, n *yaml.Node, detail string) *rubric.Loss {
	l.suite.Losses = append(l.suite.Losses, l.shown(loss.Of(kind, level, n, detail)))
	return &l.suite.Losses[len(l.suite.Losses)-1]
}

// fatal remembers what makes the loader give up on the file.
func (l *lowering) fatal(kind string, n *yaml.Node) *rubric.Suite {
	l.lose(kind, rubric.Refuses, n, "").Fatal = true
	return l.suite
}

// shown is a loss where a person looks for it.
func (l *lowering) shown(lost rubric.Loss) rubric.Loss {
	if l.other != nil {
		lost.Span = l.other.span
	}
	return lost
}
