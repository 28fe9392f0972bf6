package metric_test

import (
	"slices"
	"testing"

	"github.com/rubric-ls/rubric/core/metric"
)

// TestJudgeNames checks which judges criteria name: each once, without metrics that ask no judge.
func TestJudgeNames(t *testing.T) {
	criterion := func(name, model string) metric.Criterion {
		return metric.Criterion{Metric: name, Judge: metric.JudgeOptions{Model: model}}
	}
	criteria := []metric.Criterion{
		criterion(metric.FinalResponseMatch, "gemini-2.5-flash"), criterion(metric.ResponseQuality, "gemini-2.5-flash"),
		criterion(metric.Safety, "claude-sonnet-4"), criterion(metric.ToolQuality, "openai/gpt-4.1/mini"), criterion(metric.Hallucinations, ""),
		criterion(metric.UserSimulator, "unknown/x"), criterion(metric.ToolTrajectory, "gemini-of-no-judge"),
	}
	want := []string{"gemini:gemini-2.5-flash", "anthropic:claude-sonnet-4", "openai:gpt-4.1/mini", "", "unknown/x"}
	if got := metric.JudgeNames(criteria); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
