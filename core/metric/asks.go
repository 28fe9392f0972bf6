package metric

import "fmt"

// Asks says how often a judge is asked when a metric is measured, in words; "" if it
// is not. With a moderation endpoint that is asked about safety instead.
func (c Criterion) Asks() string {
	switch c.Metric {
	case FinalResponseMatch, ResponseQuality, ToolQuality:
		return questions(c.Judge.Times()) + " for each turn"
	case Safety:
		return questions(max(1, c.Judge.Samples)) + " for each turn"
	case UserSimulator:
		return questions(c.Judge.Times()) + " for each turn but the first, and as many for the end"
	case Hallucinations:
		if c.EachIntermediate {
			return "2 questions for each text, those on the way to the answer too"
		}
		return "2 questions for each answer"
	}
	return ""
}

func questions(n int) string {
	if n == 1 {
		return "1 question"
	}
	return fmt.Sprintf("%d questions", n)
}
