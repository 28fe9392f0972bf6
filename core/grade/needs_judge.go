package grade

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
)

// NeedsJudgeOrProgram reports whether g asks a judge, or a program that may be run, what to make of a
// submission. One that does not says the same of the same submission every time.
func (p Ports) NeedsJudgeOrProgram(g *rubric.Grader) bool {
	switch normalizedKind(g) {
	case rubric.LLMJudge:
		return !hasPromptScript(g) || p.canRun(g.Prompt.Script)
	case rubric.CodeJudge:
		return g.Code != nil && p.canRun(g.Code.Argv)
	case rubric.External:
		return p.canRun(interpreters[externalAssertion(g).Type])
	}
	return g.Combine != nil && p.needsCombiner(*g.Combine) || slices.ContainsFunc(g.Members, p.NeedsJudgeOrProgram)
}

// ReadsBeyondAnswer reports whether g looks at more of a submission than its answer and the summary
// of its trace: at messages, at tool calls or at files, all of which a program is told.
func (p Ports) ReadsBeyondAnswer(g *rubric.Grader) bool {
	switch k := normalizedKind(g); {
	case k == rubric.ToolTrajectory, k == rubric.ExecutionMetrics:
		return true
	case k == rubric.CodeJudge, k == rubric.External, hasPromptScript(g):
		return p.NeedsJudgeOrProgram(g)
	case k == rubric.LLMJudge:
		return len(g.Criteria) == 0 && g.Prompt != nil && mentionsMessages(g.Prompt.Text)
	}
	return g.Combine != nil && mentionsMessages(g.Combine.Prompt) || slices.ContainsFunc(g.Members, p.ReadsBeyondAnswer)
}

// canRun reports whether a program may be run.
func (p Ports) canRun(argv []string) bool {
	_, sandboxed := Command{Argv: argv}.SandboxArgv()
	return len(argv) > 0 && (p.Exec != nil || sandboxed && p.Sandbox != nil)
}

// needsCombiner reports whether it is asked how members are to be combined.
func (p Ports) needsCombiner(combine rubric.Aggregator) bool {
	return combine.Type == "llm_judge" || combine.Type == "code_judge" && p.canRun(combinerArgv(combine))
}

// hasPromptScript reports whether a program writes the prompt of a judge.
func hasPromptScript(g *rubric.Grader) bool {
	return len(g.Criteria) == 0 && g.Prompt != nil && len(g.Prompt.Script) > 0
}

// mentionsMessages reports whether a prompt may have what was said or called filled in.
func mentionsMessages(prompt string) bool {
	return strings.Contains(prompt, "output_messages") || strings.Contains(prompt, "tool_calls")
}
