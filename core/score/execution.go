package score

// Execution is how [AgentV4] and [AgentVHead] sort a case's result: whether it
// could be told at all, and if not what failed.
type Execution struct {
	Status string `json:"execution_status"`              // "ok", "quality_failure" or "execution_error"
	Stage  string `json:"failure_stage,omitempty"`       // of an execution error: "agent" or "evaluator"
	Reason string `json:"failure_reason_code,omitempty"` // of an execution error: "provider_error" or "evaluator_error"
}

// ExecutionOf sorts a case's result; answered is false when the target gave no
// answer to grade.
func ExecutionOf(c CaseResult, answered bool) Execution {
	switch {
	case !answered:
		return Execution{Status: "execution_error", Stage: "agent", Reason: "provider_error"}
	case c.Ungraded > 0:
		return Execution{Status: "execution_error", Stage: "evaluator", Reason: "evaluator_error"}
	case *c.Score >= thresholdOrDefault(c.threshold):
		return Execution{Status: "ok"}
	}
	return Execution{Status: "quality_failure"}
}
