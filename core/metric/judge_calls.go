package metric

import "fmt"

// JudgeCalls says how often a judge is asked when a metric is measured, in words; "" if it
// is not. With a moderation endpoint that is asked about safety instead.
func (c Criterion) JudgeCalls() string {
	switch c.Metric {
	case FinalResponseMatch, ResponseQuality, ToolQuality:
		return questionCount(c.Judge.SampleCount()) + " for each turn"
	case Safety:
		return questionCount(max(1, c.Judge.Samples)) + " for each turn"
	case UserSimulator:
		return questionCount(c.Judge.SampleCount()) + " for each turn but the first, and as many for the end"
	case Hallucinations:
		if c.EachIntermediate {
			return "2 questions for each text, those on the way to the answer too"
		}
		return "2 questions for each answer"
	}
	return ""
}

func questionCount(n int) string {
	if n == 1 {
		return "1 question"
	}
	return fmt.Sprintf("%d questions", n)
}
