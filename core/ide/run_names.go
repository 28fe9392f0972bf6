package ide

import (
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/run"
)

// RunNames say whom a run of a file would ask. Label says it in a few words, such as
// `expected answers · offline judge`.
type RunNames struct {
	Target string `json:"target"`
	Judge  string `json:"judge"`
	Label  string `json:"label"`
}

// NewRunNames describes a target and a judge by their names.
func NewRunNames(target, judge string) *RunNames {
	return &RunNames{target, judge, describeTarget(target) + " · " + describeJudge(judge)}
}

func describeTarget(name string) string {
	switch name {
	case run.SelfTargetName, run.SelfTargetLabel:
		return "expected answers"
	case adk.SelfTarget:
		return "expected conversations"
	}
	return excerpt.Shorten(name, maxName)
}

func describeJudge(name string) string {
	switch name {
	case offline.Name:
		return "offline judge"
	case run.EditorJudgeName:
		return "editor's model"
	}
	return excerpt.Shorten(strings.ReplaceAll(name, run.PanelSeparator, ", "), maxName)
}

// maxName is the length of a name in a label.
const maxName = 32
