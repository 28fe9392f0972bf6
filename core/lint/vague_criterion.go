package lint

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/rubric"
)

var vague = phrase(`^` + subjectPattern + `(?:(?:is|are|be|should be|must be|sounds|looks|reads|stays|remains)\s+)?(?:(?:very|quite|really|reasonably|sufficiently|generally|overall)\s+)?` +
	`(?:good|bad|nice|great|fine|ok|okay|short|long|brief|clear|helpful|useful|appropriate|proper|reasonable|high[- ]quality|well[- ](?:written|structured|organi[sz]ed|done)|` +
	`professional|natural|concise|engaging|interesting|relevant|detailed|thorough|simple|easy to (?:read|understand))\s*[.!]?$`)

// longestVague is how long a criterion can be that says nothing.
const longestVague = 80

var _ = add(Rule{
	ID:       "vague-criterion",
	Summary:  "A criterion names a quality and not what would show it",
	Severity: diag.Info,
	Why: `
Two readers do not agree on what is good, short or clear, and neither do two runs of one judge. Say what has to be
there: "is under 50 words", "names the deadline". Or give the criterion ~score_ranges~ that describe the degrees.
`,
	Bad:  writingBefore + "      - ⟦The answer is short⟧\n",
	Good: writingBefore + "      - The answer is under 50 words\n",
	Run: func(p *Pass) {
		p.english(func(c *rubric.Criterion) {
			if len(c.Text) < longestVague && vague().MatchString(c.Text) {
				p.Report(c.TextSpan, "a judge cannot tell how much `%s` asks for; say what would show it", shortened(c.Text))
			}
		})
	},
})
