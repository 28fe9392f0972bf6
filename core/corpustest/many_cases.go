package corpustest

import (
	"fmt"
	"strings"
)

// ManyCases returns an eval file of n cases, each with a comment, messages, weighted criteria and
// score ranges. Every hundredth case, from the eighth, has a misspelt key. Nothing else is
// reported.
func ManyCases(n int) string {
	var b strings.Builder
	b.WriteString("description: A suite to measure with\nevalcases:\n")
	for i := range n {
		note := "conversation_id"
		if i%100 == 7 {
			note = "converstion_id"
		}
		fmt.Fprintf(&b, `  # case %[1]d
  - id: case-%[1]d
    %[2]s: orders
    expected_outcome: Explains what happens with order %[1]d and what the customer can do next
    input:
      - role: user
        content: Where is order %[1]d? I have been waiting for it for two weeks.
    expected_output: Order %[1]d was shipped and is due on Monday.
    rubrics:
      - id: next-step
        expected_outcome: Names a next step for order %[1]d
        weight: 5
        required_min_score: 3
        score_ranges:
          0: No next step
          5: A vague one
          8: One that the customer can take today
      - id: apology
        expected_outcome: Apologises for the delay
        weight: 3
        score_ranges:
          0: No apology
          4: A short apology
          9: An apology that names the delay
`, i, note)
	}
	return b.String()
}
