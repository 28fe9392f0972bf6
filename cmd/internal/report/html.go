package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

var (
	//go:embed report.tmpl
	page string
	//go:embed report.css
	css string

	tmpl = template.Must(template.New("report").Funcs(template.FuncMap{
		"css":       func() template.CSS { return template.CSS(css) },
		"policy":    policy,
		"number":    number,
		"decimal":   decimal,
		"percent":   func(f float64) string { return number(score.Clamp(f) * 100) },
		"bars":      func() [2]float64 { return [2]float64{score.PassAt, score.BorderlineAt} },
		"why":       why,
		"facts":     facts,
		"moment":    moment,
		"profiles":  profiles,
		"phrases":   phrases,
		"plain":     plain,
		"agreement": run.AgreementOf,
		"round":     func(share float64) string { return fmt.Sprintf("%.0f", share*100) },
		"mark": func(o score.Opinion) string {
			return Mark(score.Grade{Satisfied: o.Satisfied, Score: o.Score, Ungraded: o.Ungraded})
		},
		"measured": func(p score.Profile) bool { return strings.HasPrefix(string(p), "adk-") },
		"next":     func(i int) int { return i + 1 }, // records count from 0, people from 1
		"top":      func(list []run.GraderRecord) []graderView { return graderViews(list, false) },
	}).Parse(page))
)

// HTML writes the report as one page that loads nothing, runs nothing and reads
// well without JavaScript, on paper too.
func (r Report) HTML(w io.Writer) error { return tmpl.Execute(w, r) }

// policy lets the page have its own style and nothing else: what slipped into
// it could not even be drawn, let alone be run or sent.
func policy() string {
	sum := sha256.Sum256([]byte(css))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"
}

// phrase is a piece of a sentence; what stood in backticks is code.
type phrase struct {
	Text string
	Code bool
}

func phrases(sentence string) []phrase {
	pieces := strings.Split(sentence, "`")
	if len(pieces)%2 == 0 { // a backtick without its partner is itself
		last := len(pieces) - 1
		pieces[last-1] += "`" + pieces[last]
		pieces = pieces[:last]
	}
	var list []phrase
	for i, text := range pieces {
		list = append(list, phrase{text, i%2 == 1})
	}
	return list
}

// moment is a record's timestamp for people.
func moment(stamp string) string {
	at, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return stamp
	}
	return at.UTC().Format("2 January 2006, 15:04 UTC")
}

// facts are what a case took, as far as it is known.
func facts(rec run.Record) []string {
	var list []string
	if rec.DurationMS != nil {
		list = append(list, fmt.Sprintf("%.1f s", *rec.DurationMS/1000))
	}
	if t := rec.TraceSummary; t != nil {
		if t.EventCount != nil {
			list = append(list, fmt.Sprintf("tool calls: %d", *t.EventCount))
		}
		if t.TokenUsage != nil {
			list = append(list, fmt.Sprintf("tokens: %s in, %s out", number(t.TokenUsage.Input), number(t.TokenUsage.Output)))
		}
		if t.CostUSD != nil {
			list = append(list, fmt.Sprintf("cost: $%.4f", *t.CostUSD))
		}
	}
	return list
}

// profiles are those of the report's verdicts, in order.
func profiles(r Report) []score.Profile {
	var list []score.Profile
	for _, s := range r.Suites {
		for _, rec := range s.Records {
			list = append(list, rec.Profile)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
