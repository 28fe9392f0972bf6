package adk

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// A Fragment is a part of an ADK file that stands alone, as documentation shows it: rubrics, metrics,
// cases or turns.
type Fragment struct {
	Noun string // "rubrics of a metric"
	Role Role   // of the file that it is a part of
	// Frames are the texts around the fragment that make a whole file of it, one for each way to do it.
	Frames []Frame
	inside bool // the fragment's entries, without their own braces, are what a frame surrounds
}

// A Frame is the text before and after a fragment. Before may have `%s` for the name of an evalset.
type Frame struct{ Title, Before, After string }

// Fragment returns what a JSON file is a part of, or nil for a whole file.
func (f File) Fragment() *Fragment {
	if !f.JSON || f.IsChunk {
		return nil
	}
	return findFragment(f.Tree.Root())
}

// findFragment returns the fragment that a tree is, by its keys, or nil.
func findFragment(root *yaml.Node) *Fragment {
	item, before, after := root, "[", "]"
	if list := root.List(); len(list) > 0 {
		item, before, after = list[0], "", ""
	}
	has := func(n *yaml.Node, keys ...string) bool {
		return !slices.ContainsFunc(keys, func(key string) bool { return lookup(n, key) == nil })
	}
	const threshold = `"threshold": 0.8, `
	rubrics := root.Get("rubrics").List()
	switch {
	case has(item, "rubric_id", "rubric_content"):
		return rubricsFragment(append(root.List(), item), "{"+threshold+`"rubrics": `+before, after+"}", false)
	case len(rubrics) > 0 && has(rubrics[0], "rubric_id") && has(root, "threshold"):
		return rubricsFragment(rubrics, "{", "}", true)
	case len(rubrics) > 0 && has(rubrics[0], "rubric_id") && len(root.Entries()) == 1:
		return rubricsFragment(rubrics, "{"+threshold, "}", true)
	case isCriteria(root):
		return &Fragment{"metrics", Config, []Frame{{"put them under `criteria`", `{"criteria": {`, "}}"}}, true}
	case has(item, "eval_id", "conversation"), has(item, "eval_id", "conversation_scenario"):
		return &Fragment{"cases", EvalSet, []Frame{{"make an evalset of them", `{"eval_set_id": "%s", "eval_cases": ` + before, after + "}"}}, false}
	case has(item, "user_content", "final_response"), has(item, "user_content", "intermediate_data"):
		return &Fragment{"turns of a case", EvalSet, []Frame{{"make an evalset of them",
			`{"eval_set_id": "%s", "eval_cases": [{"eval_id": "case_1", "conversation": ` + before, after + "}]}"}}, false}
	}
	return nil
}

// rubricsFragment returns a fragment of a criterion. Without a type, its rubrics may be of any metric
// with rubrics if some texts are about the response and others about the agent.
func rubricsFragment(rubrics []*yaml.Node, before, after string, inside bool) *Fragment {
	f := &Fragment{Noun: "rubrics of a metric", Role: Config, inside: inside}
	own := cmp.Or(MetricForRubricType(rubrics[0].Get("type").Text()), commonSubject(rubrics))
	for _, name := range []string{metric.ResponseQuality, metric.ToolQuality, metric.TrajectoryQuality} {
		if own == "" || own == name {
			f.Frames = append(f.Frames, Frame{"make them the rubrics of `" + name + "`", `{"criteria": {"` + name + `": ` + before, after + "}}"})
		}
	}
	return f
}

// commonSubject returns the metric for rubrics whose texts have one subject, or "". Texts that name no
// subject are about the response.
func commonSubject(rubrics []*yaml.Node) (name string) {
	for _, n := range rubrics {
		own := subjectOf(lookup(lookup(n, "rubric_content"), "text_property").Text())
		if own != "" && name != "" && own != name {
			return ""
		}
		name = cmp.Or(own, name)
	}
	return cmp.Or(name, metric.ResponseQuality)
}

// subjectOf returns the metric for the first subject that a text names, or "".
func subjectOf(words string) string {
	for word := range strings.FieldsFuncSeq(strings.ToLower(words), func(r rune) bool { return r != '\'' && !unicode.IsLetter(r) }) {
		switch word {
		case "response", "answer", "reply":
			return metric.ResponseQuality
		case "agent", "tool", "tools":
			return metric.ToolQuality
		}
	}
	return ""
}

// Whole returns the file that the only frame of a fragment makes, with the spans of the fragment's own
// text. It returns f if it is no fragment, or if several frames fit.
func (f File) Whole() File {
	fragment := f.Fragment()
	if fragment == nil || len(fragment.Frames) != 1 {
		return f
	}
	edits := f.Wrap(fragment, fragment.Frames[0])
	body, err := text.Apply(f.Body, edits)
	if err != nil {
		return f
	}
	whole := Open(f.Tree.Source.Name, body)
	start, end := edits[0].Span.End, edits[1].Span.Start
	offset := func(at int) int { return min(max(at-len(edits[0].New)+edits[0].Span.Len(), start), end) }
	whole.Tree.MapSpans(func(s text.Span) text.Span { return text.Span{Start: offset(s.Start), End: offset(s.End)} })
	whole.Body, whole.Excess, whole.Tree.Source, whole.wraps = f.Body, f.Excess, f.Tree.Source, true
	return whole
}

// Wrap returns the edits that put a frame around the fragment that f is.
func (f File) Wrap(fragment *Fragment, frame Frame) []text.Edit {
	root := f.Tree.Root()
	start, end := text.Span{Start: root.Span.Start, End: root.Span.Start}, text.Span{Start: root.Span.End, End: root.Span.End}
	stem, _, _ := strings.Cut(path.Base(f.Tree.Source.Name), ".")
	id := strings.Join(strings.FieldsFunc(stem, func(r rune) bool { return r != '_' && !unicode.IsDigit(r) && !unicode.IsLetter(r) }), "_")
	newline := f.Tree.Source.Newline()
	before, after := strings.Replace(frame.Before, "%s", id, 1)+newline, newline+frame.After
	switch hasBraces := f.Body[root.Span.Start] == '{'; {
	case fragment.inside && hasBraces:
		start.End, end.Start = start.End+1, end.Start-1
	case !fragment.inside && root.IsMap() && !hasBraces:
		before, after = before+"{", "}"+after
	}
	return []text.Edit{{Span: start, New: before}, {Span: end, New: after}}
}
