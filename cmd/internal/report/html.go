package report

import (
	"cmp"
	_ "embed"
	"html/template"
	"io"
	"strings"

	"github.com/rubric-ls/rubric/core/run"
)

var (
	//go:embed report.tmpl
	page string
	//go:embed report.css
	css string

	tmpl = template.Must(template.New("report").Funcs(template.FuncMap{
		"decimal": decimal,
		"css":     func() template.CSS { return template.CSS(css) },
		"grades":  gradeViews,
		"kind":    kindOf,
		"join":    func(list []string) string { return strings.Join(list, "; ") },
		"share":   func(f float64) int { return int(f*100 + 0.5) },
	}).Parse(page))
)

// HTML writes the report as one page that loads nothing, runs nothing and reads
// well without JavaScript, on paper too.
func (r Report) HTML(w io.Writer) error { return tmpl.Execute(w, r) }

// gradeView is a graded criterion as the page shows it.
type gradeView struct {
	Label   string
	Outcome string // yes, no, 7/10, ungraded
	Class   string
	Terms   string
	Reason  string
	Bands   []bandView
}

type bandView struct {
	run.BandRecord
	Reached bool
}

var classOf = map[string]string{green: "good", yellow: "fair", red: "bad"}

func gradeViews(g run.GraderRecord) []gradeView {
	var views []gradeView
	for i, grade := range g.Grades {
		c := criterionOf(g, grade, i)
		mark, color := outcomeOf(c, grade)
		v := gradeView{
			Label: cmp.Or(c.Text, c.ID), Outcome: strings.TrimSpace(mark), Class: classOf[color], Terms: terms(c, grade),
			Reason: cmp.Or(grade.Ungraded, grade.Reasoning),
		}
		for _, b := range c.Bands {
			reached := grade.Score != nil && b.Range[0] <= *grade.Score && *grade.Score <= b.Range[1]
			v.Bands = append(v.Bands, bandView{b, reached})
		}
		views = append(views, v)
	}
	return views
}

// kindOf is what a grader is called: a judge with criteria is a rubric.
func kindOf(g run.GraderRecord) string {
	if len(g.Criteria) > 0 {
		return "rubric"
	}
	return strings.ReplaceAll(string(g.Type), "_", " ")
}
