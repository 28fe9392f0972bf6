package v4

import (
	"github.com/rubric-ls/rubric/core/dialect/agentv/loss"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Kinds of losses that only whole files have; the others are those of packages
// agentv, assertion and bands.
const (
	TestsMissing           = "tests_missing"          // there is no list of tests
	TestInvalid            = "test_invalid_skipped"   // a test that is no mapping
	TestsInOtherFile       = "tests_elsewhere"        // tests in another file that is not read; Detail is its name
	ScenariosInOtherFile   = "scenarios_elsewhere"    // the same of scenarios
	FileMissing            = "tests_file_missing"     // a file of tests or scenarios that is not there; Detail is its name
	FileInvalid            = "tests_file_invalid"     // refused: a file that holds no list of them; Detail is its name
	TestsSkipped           = "tests_of_file_skipped"  // refused: tests of another file; Detail says how many and of which
	PromptInvalid          = "prompt_invalid"         // refused: neither text, messages nor a file
	PromptUnread           = "prompt_unread"          // a prompt that a program writes
	DefaultTestInOtherFile = "default_test_elsewhere" // what all tests have, in another file; Detail is its name
	TurnsUnread            = "turns_unread"           // a conversation in several turns
	NoGraders              = "test_asserts_nothing"   // a test without anything to grade it; Detail is what it scores
	CriteriaWithAssert     = "criteria_with_assert"   // `criteria` where there is `assert` as well
)

func (l *suiteLoader) addLoss(kind string, level rubric.Level, n *yaml.Node, detail string) *rubric.Loss {
	l.suite.Losses = append(l.suite.Losses, l.relocateLoss(loss.New(kind, level, n, detail)))
	return &l.suite.Losses[len(l.suite.Losses)-1]
}

// failFile remembers what makes the loader give up on the file.
func (l *suiteLoader) failFile(kind string, n *yaml.Node) *rubric.Suite {
	l.addLoss(kind, rubric.Refuses, n, "").Fatal = true
	return l.suite
}

// relocateLoss is a loss where a person looks for it.
func (l *suiteLoader) relocateLoss(lost rubric.Loss) rubric.Loss {
	if l.included != nil {
		lost.Span = l.included.span
	}
	return lost
}
