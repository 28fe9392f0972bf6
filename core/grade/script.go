package grade

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// scriptPayload is what a script assertion reads on standard input. What is
// absent or not known here is null.
type scriptPayload struct {
	Criteria       string           `json:"criteria"`
	ExpectedOutput []rubric.Message `json:"expected_output"`
	Output         string           `json:"output"`
	Messages       []rubric.Message `json:"messages"`
	OutputPath     *string          `json:"output_path"`
	InputFiles     []string         `json:"input_files"`
	Input          []rubric.Message `json:"input"`
	Metadata       any              `json:"metadata"`
	Trace          any              `json:"trace"`
	TraceSummary   *Trace           `json:"trace_summary"`
	TokenUsage     *Tokens          `json:"token_usage"`
	CostUSD        *float64         `json:"cost_usd"`
	DurationMS     *float64         `json:"duration_ms"`
	StartTime      *string          `json:"start_time"`
	EndTime        *string          `json:"end_time"`
	FileChanges    *string          `json:"file_changes"`
	WorkspacePath  *string          `json:"workspace_path"`
	Config         map[string]any   `json:"config"`
}

func (t task) scriptPayload(config map[string]any) scriptPayload {
	trace := t.trace()
	p := scriptPayload{
		Criteria: t.c.ExpectedOutcome, ExpectedOutput: orEmpty(t.c.Expected), Output: t.sub.Answer,
		Messages: orEmpty(t.sub.Messages), InputFiles: orEmpty(t.sub.InputFiles), Input: orEmpty(t.c.Input),
		TraceSummary: t.sub.Trace, TokenUsage: trace.TokenUsage, CostUSD: trace.CostUSD, DurationMS: trace.DurationMS,
	}
	if len(config) > 0 {
		p.Config = config
	}
	return p
}

// gradeScript has a program judge by the newer dialects' rules: it prints an
// object with its verdict, or any other text, and then its exit code is one.
func (t task) gradeScript(ctx context.Context, code rubric.Code) Outcome {
	stdin, err := told(t.scriptPayload(code.Config))
	if err != nil {
		return t.broken(err)
	}
	out, err := t.exec(ctx, Command{Argv: code.Argv, Dir: code.Dir, Stdin: stdin, MaxCalls: code.MaxCalls})
	if err != nil {
		return t.broken(err)
	}
	stdout, stderr := strings.TrimSpace(string(out.Stdout)), strings.TrimSpace(string(out.Stderr))
	var said map[string]any
	isObject := json.Unmarshal([]byte(stdout), &said) == nil && said != nil
	looksLikeJSON := strings.HasPrefix(stdout, "{") || strings.HasPrefix(stdout, "[")
	switch {
	case out.Code != 0 && (looksLikeJSON || stderr != ""):
		return t.broken(failed(out.Code, stderr))
	case isObject:
		return Outcome{Result: t.scriptResult(said)}
	}
	line := stdout
	if line == "" {
		line = fmt.Sprintf("the program exited with code %d", out.Code)
	}
	return Outcome{Result: found(out.Code == 0, line)}
}

// scriptResult reads the object that a script printed: a score, or else the mean
// of its checks, or else its verdict.
func (t task) scriptResult(said map[string]any) score.Result {
	var d Decoded
	list, ok := said["checks"].([]any)
	if !ok {
		list, _ = said["assertions"].([]any) // as release 4 has it
	}
	n, sum := 0, 0.0
	for _, item := range list {
		check, _ := item.(map[string]any)
		text, isText := check["text"].(string)
		pass, isBool := check["pass"].(bool)
		if !isBool {
			pass, isBool = check["passed"].(bool)
		}
		if !isText || !isBool {
			continue
		}
		n++
		sum += scoreIn(check["score"], pass)
		d.find(pass, text, firstText(check, "reason", "evidence"))
	}
	pass, verdict := said["pass"].(bool)
	value, scored := said["score"].(float64)
	switch {
	case scored:
	case n > 0:
		value = sum / float64(n)
	case verdict:
		value = scoreIn(nil, pass)
	default:
		return t.lacking("the program printed neither `pass` nor `score` nor `checks`")
	}
	reason, _ := said["reason"].(string)
	r := score.Plain(value, d.Hits, d.Misses, reason)
	if verdict {
		if r.Verdict = score.Fail; pass {
			r.Verdict = score.Pass
		}
	}
	if details, ok := said["details"].(map[string]any); ok {
		r.Details = details
	}
	return r
}
