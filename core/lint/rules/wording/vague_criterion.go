package wording

import (
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
)

// vagueLead matches the words that may precede a quality.
var vagueLead = ignoreCase(`^` + subjectPattern + `(?:(?:is|are|be|should be|must be|sounds|looks|reads|stays|remains)\s+)?(?:(?:very|quite|really|reasonably|sufficiently|generally|overall)\s+)?`)

// isQuestion matches a question for a quality and captures it without its verb: "Is the answer short?".
var isQuestion = ignoreCase(`^(?:is|are)\s+(` + subjectPattern + `\S.*?)\s*\?\s*$`)

// vagueWords are the qualities. As one regular expression they would take a twelfth of
// the time of a check.
var vagueWords = map[string]bool{
	"good": true, "bad": true, "nice": true, "great": true, "fine": true, "ok": true, "okay": true, "short": true, "long": true, "brief": true,
	"clear": true, "helpful": true, "useful": true, "appropriate": true, "proper": true, "reasonable": true, "high-quality": true, "high quality": true,
	"well-written": true, "well written": true, "well-structured": true, "well structured": true, "well-organised": true, "well organised": true,
	"well-organized": true, "well organized": true, "well-done": true, "well done": true, "professional": true, "natural": true, "concise": true,
	"engaging": true, "interesting": true, "relevant": true, "detailed": true, "thorough": true, "simple": true, "easy to read": true, "easy to understand": true,
}

// isVague reports whether a text names only a quality.
func isVague(text string) bool {
	if len(text) >= maxVagueLength {
		return false
	}
	text = isQuestion().ReplaceAllString(text, "$1")
	quality := text[len(vagueLead().FindString(text)):]
	if cut, ended := strings.CutSuffix(quality, "."); ended {
		quality = cut
	} else {
		quality = strings.TrimSuffix(quality, "!")
	}
	return vagueWords[strings.ToLower(strings.TrimRight(quality, " \t\r\n\f"))]
}

// maxVagueLength is the greatest length in bytes of a vague criterion.
const maxVagueLength = 80

var _ = lint.Register(pages, lint.Rule{
	ID:       "vague-criterion",
	Severity: diag.Info,
	Run: func(p *lint.Pass) {
		eachEnglishCriterion(p, func(c *rubric.Criterion) {
			if isVague(c.Text) {
				p.Report(c.TextSpan, "a judge cannot measure `%s`; state something observable", lint.Abbreviate(c.Text))
			}
		})
	},
})
