package grade

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
)

// Asks reports whether g asks a judge, or a program that may be run, what to make of a
// submission. One that does not says the same of the same submission every time.
func (p Ports) Asks(g *rubric.Grader) bool {
	switch kind(g) {
	case rubric.LLMJudge:
		return !scripted(g) || p.runs(g.Prompt.Script)
	case rubric.CodeJudge:
		return g.Code != nil && p.runs(g.Code.Argv)
	case rubric.External:
		return p.runs(interpreters[external(g).Type])
	}
	return g.Combine != nil && p.combines(*g.Combine) || slices.ContainsFunc(g.Members, p.Asks)
}

// Beyond reports whether g looks at more of a submission than its answer and the summary
// of its trace: at messages, at tool calls or at files, all of which a program is told.
func (p Ports) Beyond(g *rubric.Grader) bool {
	switch k := kind(g); {
	case k == rubric.ToolTrajectory, k == rubric.ExecutionMetrics:
		return true
	case k == rubric.CodeJudge, k == rubric.External, scripted(g):
		return p.Asks(g)
	case k == rubric.LLMJudge:
		return len(g.Criteria) == 0 && g.Prompt != nil && tellsMessages(g.Prompt.Text)
	}
	return g.Combine != nil && tellsMessages(g.Combine.Prompt) || slices.ContainsFunc(g.Members, p.Beyond)
}

// runs reports whether a program may be run.
func (p Ports) runs(argv []string) bool {
	_, sandboxed := Command{Argv: argv}.Sandboxed()
	return len(argv) > 0 && (p.Exec != nil || sandboxed && p.Sandbox != nil)
}

// combines reports whether it is asked how members are to be combined.
func (p Ports) combines(how rubric.Aggregator) bool {
	return how.Type == "llm_judge" || how.Type == "code_judge" && p.runs(combiner(how))
}

// scripted reports whether a program writes the prompt of a judge.
func scripted(g *rubric.Grader) bool {
	return len(g.Criteria) == 0 && g.Prompt != nil && len(g.Prompt.Script) > 0
}

// tellsMessages reports whether a prompt may have what was said or called filled in.
func tellsMessages(prompt string) bool {
	return strings.Contains(prompt, "output_messages") || strings.Contains(prompt, "tool_calls")
}
