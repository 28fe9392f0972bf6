package wording

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
)

var invertedPattern = ignoreCase(`^` + subjectPattern + `(?:` +
	`(?:contains?|has|have|includes?|makes?)\s+(?:(?:any|some|many|factual|serious|obvious|grammatical|spelling)\s+)*(?:errors?|mistakes?|hallucinations?|typos?|bugs?|inaccuracies|contradictions?)\b|` +
	`fails?\s+to\s|hallucinates?\b|(?:is|are)\s+(?:wrong|incorrect|inaccurate|incomplete|misleading|rude|toxic|off[- ]topic|harmful)\b|` +
	`does\s+not\s+(?:answer|address|mention\s+the|explain|help)\b)`)

// handledFaultPattern matches phrases about the handling of faults, such as "error messages".
var handledFaultPattern = ignoreCase(`\b(?:errors?|bugs?|mistakes?)[\s-](?:handling|messages?|reports?|codes?|tracking|fix(?:es)?|corrections?)\b`)

var _ = lint.Register(pages, lint.Rule{
	ID:       "inverted-criterion",
	Severity: diag.Info,
	Run: func(p *lint.Pass) {
		eachEnglishCriterion(p, func(c *rubric.Criterion) {
			if invertedPattern().MatchString(c.Text) && !handledFaultPattern().MatchString(c.Text) && c.Weight > 0 {
				p.Report(c.TextSpan, "an answer with this fault satisfies the criterion; describe the good answer instead")
			}
		})
	},
})
