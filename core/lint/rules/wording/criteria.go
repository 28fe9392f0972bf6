// Package wording has the rules about the texts of criteria. Those about English skip texts in other
// languages. It also splits a criterion that asks for two things.
package wording

import (
	"embed"
	"slices"
	"strings"
	"unicode"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
)

// subjectPattern matches the start of a criterion that names the submission.
const subjectPattern = `(?:(?:the|this|its?)\s+)?(?:(?:answer|response|reply|output|result|summary|submission|text|message|explanation|assistant|agent|model|code|tone)\s+)?`

// englishWords are common words of which nearly every English sentence has one.
var englishWords = map[string]bool{
	"the": true, "and": true, "is": true, "are": true, "of": true, "with": true, "that": true, "for": true, "does": true, "not": true,
	"has": true, "to": true, "it": true, "its": true, "a": true, "an": true, "or": true, "by": true, "from": true, "be": true,
	"were": true, "how": true, "which": true, "what": true, "when": true, "why": true, "who": true,
}

// englishCriteria returns the yes-or-no criteria whose text may be English.
var englishCriteria = lint.PerPass(func(p *lint.Pass) []*rubric.Criterion {
	return slices.DeleteFunc(slices.Clone(allCriteria(p)), func(c *rubric.Criterion) bool { return !isEnglishCriterion(c) })
})

// allCriteria returns the criteria of all rubrics, each once.
var allCriteria = lint.PerPass(func(p *lint.Pass) (all []*rubric.Criterion) {
	seen := map[*rubric.Criterion]bool{}
	for _, g := range p.AllRubrics() {
		for _, c := range g.Criteria {
			if !seen[c] {
				seen[c] = true
				all = append(all, c)
			}
		}
	}
	return all
})

// isEnglishCriterion reports whether a yes-or-no criterion may be English: its text has ASCII letters
// only and either a common English word or at most three words.
func isEnglishCriterion(c *rubric.Criterion) bool {
	isForeign := func(r rune) bool { return unicode.IsLetter(r) && r > unicode.MaxASCII }
	if c.HasBands() || !c.BandsSpan.Empty() || strings.ContainsFunc(c.Text, isForeign) {
		return false
	}
	words := strings.Fields(strings.ToLower(c.Text))
	isEnglish := func(w string) bool { return englishWords[strings.Trim(w, ".,;:!?\"'`()")] }
	return len(words) <= 3 || slices.ContainsFunc(words, isEnglish)
}

// ignoreCase compiles a pattern that ignores letter case.
func ignoreCase(expr string) pattern.Lazy { return pattern.New(`(?i)` + expr) }

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

// maxVagueLength is the greatest length in bytes of a vague criterion.
const maxVagueLength = 80

var _ = lint.Register(pages, lint.Rule{
	ID:       "vague-criterion",
	Severity: diag.Info,
	Run: func(p *lint.Pass) {
		for _, c := range englishCriteria(p) {
			if len(c.Text) >= maxVagueLength {
				continue
			}
			text := isQuestion().ReplaceAllString(c.Text, "$1")
			quality := text[len(vagueLead().FindString(text)):]
			if cut, ended := strings.CutSuffix(quality, "."); ended {
				quality = cut
			} else {
				quality = strings.TrimSuffix(quality, "!")
			}
			if vagueWords[strings.ToLower(strings.TrimRight(quality, " \t\r\n\f"))] {
				p.Report(c.TextSpan, "a judge cannot measure `%s`; state something observable", lint.Abbreviate(c.Text))
			}
		}
	},
})

var notEvaluable = ignoreCase(`^` + subjectPattern + `(?:should\s+|must\s+)?(feels?|seems?|appears? to be)\s`)

var _ = lint.Register(pages, lint.Rule{
	ID:       "not-evaluable",
	Severity: diag.Info,
	Run: func(p *lint.Pass) {
		for _, c := range englishCriteria(p) {
			if m := notEvaluable().FindStringSubmatch(c.Text); m != nil {
				p.Report(c.TextSpan, "the text does not show what an answer `%s` like; name something that the text shows", m[1])
			}
		}
	},
})

var (
	openQuestion = ignoreCase(`^(?:(?:how|what|which|why|when|where|who|to what extent)\b.*\?$|(?:rate|score|grade|assess|evaluate)\s)`)
	qualityNoun  = ignoreCase(`^(?:the\s+)?(?:(?:overall|general)\s+)?(?:(?:quality|level|degree|tone|accuracy|clarity|style|completeness|correctness|relevance) of\s.*|` +
		`accuracy|tone|clarity|style|quality|completeness|correctness|relevance|helpfulness|conciseness|grammar|coherence|fluency|safety)\s*[.?]?$`)
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "not-yes-no",
	Severity: diag.Info,
	Run: func(p *lint.Pass) {
		for _, c := range englishCriteria(p) {
			if openQuestion().MatchString(c.Text) || qualityNoun().MatchString(c.Text) {
				remedy := "and has no `score_ranges`"
				if p.ADK != nil {
					remedy = "as ADK asks; state what must be true"
				}
				p.Report(c.TextSpan, "`%s` cannot be answered with yes or no, %s", lint.Abbreviate(c.Text), remedy)
			}
		}
	},
})

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
		for _, c := range englishCriteria(p) {
			if invertedPattern().MatchString(c.Text) && !handledFaultPattern().MatchString(c.Text) && c.Weight > 0 {
				p.Report(c.TextSpan, "an answer with this fault satisfies the criterion; describe the good answer instead")
			}
		}
	},
})

//go:embed *.md
var pages embed.FS
