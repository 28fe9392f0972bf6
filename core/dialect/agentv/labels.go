package agentv

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// LabelsFile is the table of people's grades for an eval file's cases. It is our own format; no
// version of AgentV reads it.
var LabelsFile = &schema.Type{
	Name: "labels-file",
	Doc: "People's grades for the answers to an eval file's cases, with which `rubric calibrate` compares a judge, and example answers, with which `rubric test` tests rubrics. " +
		"`support.labels.yaml` belongs to `support.eval.yaml`, `support.yaml`, `support.jsonl` or `support.evalset.json` in the same folder.",
	Kind: schema.Map, RequireAny: []string{"labels", "judgements", "examples"}, OnMissingAll: "refuses the file", OnUnknownKey: "refuses the file",
	Fields: []*schema.Field{
		{Key: "labels", OnInvalid: "refuses the file", Type: schema.MapOf(schema.MapOf(labelType)),
			Example: map[string]any{"refund-window": map[string]any{"window": true, "tone": 7}},
			Doc:     "Grades by case id and criterion id. Of a recorded conversation, a grade is for every turn, unless it has `turns`."},
		{Key: "judgements", OnInvalid: "refuses the file", Type: schema.ListOf(judgementType),
			Example: []any{map[string]any{"case": "refund-window", "criterion": "window", "satisfied": true, "by": "Kim"}},
			Doc:     "Grades one by one, with who gave them and when, as `rubric label` writes them. Of several by one person for the same criterion, the last counts."},
		{Key: "examples", OnInvalid: "refuses the file", Type: schema.MapOf(examplesType),
			Example: map[string]any{"refund-window": map[string]any{"good": []string{"You have 30 days."}, "bad": []string{"It depends."}}},
			Doc:     "Example answers by case id: the case's rubric must pass each good one and fail each bad one. In an evalset they are answers to the last turn."},
		{Key: "fingerprints", Type: schema.MapOf(schema.MapOf(schema.String)),
			Doc: "What the grades are for: fingerprints of question, criterion and answer, as `rubric calibrate --pin` writes them. A grade for something else is stale and not counted."},
	},
}

// shortGrades are the short forms of a grade.
var shortGrades = []*schema.Type{{Kind: schema.Bool}, schema.NumberBetween(0, 10)}

// labelType is the table of one grade.
var labelType = schema.UnionOf(append(shortGrades, &schema.Type{
	Name: "label", Doc: "A person's grade. The short form is the value of `satisfied` or `score` alone.", Kind: schema.Map,
	RequireAny: []string{"satisfied", "score", "turns"}, OnMissingAll: "does not count the label", OnUnknownKey: "refuses the file",
	Fields: []*schema.Field{
		{Key: "satisfied", Type: schema.Boolean, Doc: "Whether a checklist criterion is satisfied."},
		{Key: "score", Type: schema.NumberBetween(0, 10), Doc: "The score of a criterion with ranges, 0 to 10."},
		{Key: "note", Type: schema.String, Doc: "Why."},
		{Key: "by", Type: schema.String, Doc: "The person who graded."},
		{Key: "turns", Type: schema.MapOf(schema.UnionOf(shortGrades...)), Example: map[string]any{"2": false}, Doc: "Grades by turn of a recorded conversation, counted from 1, in the short form."},
	},
})...)

// examplesType is the table of a case's example answers.
var examplesType = &schema.Type{
	Name: "examples", Doc: "Example answers to a case.", Kind: schema.Map,
	RequireAny: []string{"good", "bad"}, OnMissingAll: "tests nothing", OnUnknownKey: "refuses the file",
	Fields: []*schema.Field{
		{Key: "good", Type: schema.ListOf(schema.String), Doc: "Answers that the rubric must pass."},
		{Key: "bad", Type: schema.ListOf(schema.String), Doc: "Answers that the rubric must fail."},
	},
}

// ReadExamples reads the example answers of a labels file, the good ones of a case first.
func ReadExamples(tree *yaml.Tree) (examples []rubric.Example) {
	if tree.HasUnboundedAliases() {
		return nil
	}
	for _, c := range tree.Root().Get("examples").Entries() {
		for _, kind := range []string{"good", "bad"} {
			for i, n := range c.Value.Get(kind).List() {
				if answer, ok := n.Str(); ok {
					examples = append(examples, rubric.Example{Case: c.Key.Value, Answer: answer, IsGood: kind == "good", Number: i + 1})
				}
			}
		}
	}
	return examples
}

// ReadLabels reads a labels file and ignores values that are not grades. Of several labels of one
// person for the same thing, it returns the last.
func ReadLabels(tree *yaml.Tree) (labels []rubric.Label) {
	if tree.HasUnboundedAliases() {
		return nil
	}
	add := func(n *yaml.Node, l rubric.Label) {
		if l.Satisfied, l.Score = readGrade(n); l.Satisfied == nil && l.Score == nil {
			return
		}
		l.Span = n.Span
		if l.IsRecorded = l.Fingerprint != ""; !l.IsRecorded {
			l.Fingerprint = tree.Root().Get("fingerprints").Get(l.Case).Get(l.Criterion).Text()
		}
		labels = append(labels, l)
	}
	for _, c := range tree.Root().Get("labels").Entries() {
		for _, p := range c.Value.Entries() {
			l := rubric.Label{Case: c.Key.Value, Criterion: p.Key.Value, Note: p.Value.Get("note").Text(), By: p.Value.Get("by").Text()}
			add(p.Value, l)
			for _, turn := range p.Value.Get("turns").Entries() {
				if number, err := strconv.Atoi(turn.Key.Value); err == nil && number > 0 {
					l.Turn = number
					add(turn.Value, l)
				}
			}
		}
	}
	for _, n := range tree.Root().Get("judgements").List() {
		turn, _ := n.Get("turn").Number()
		add(n, rubric.Label{
			Case: n.Get("case").Text(), Criterion: n.Get("criterion").Text(), Turn: int(turn), Note: n.Get("note").Text(),
			By: n.Get("by").Text(), At: n.Get("at").Text(), Fingerprint: n.Get("fingerprint").Text(),
		})
	}
	return lastOfEach(labels)
}

// lastOfEach returns the labels that no later one of the same person replaces.
func lastOfEach(labels []rubric.Label) (last []rubric.Label) {
	type key struct {
		caseID, criterion, by string
		turn                  int
	}
	at := map[key]int{}
	keyOf := func(l rubric.Label) key { return key{l.Case, l.Criterion, l.By, l.Turn} }
	for i, l := range labels {
		at[keyOf(l)] = i
	}
	for i, l := range labels {
		if at[keyOf(l)] == i {
			last = append(last, l)
		}
	}
	return last
}

// readGrade reads a grade in its short or long form.
func readGrade(n *yaml.Node) (satisfied *bool, score *float64) {
	checked, scored := n, n
	if n.IsMap() {
		checked, scored = n.Get("satisfied"), n.Get("score")
	}
	if satisfies, ok := checked.Bool(); ok {
		return &satisfies, nil
	}
	if of10, ok := scored.Number(); ok && of10 >= 0 && of10 <= 10 {
		return nil, &of10
	}
	return nil, nil
}

// PinLabels returns the text of a labels file with new fingerprints of its labels. It returns an
// error if the file is not written as one key a line.
func PinLabels(tree *yaml.Tree, labels []rubric.Label) (string, error) {
	var block strings.Builder
	block.WriteString("fingerprints:")
	for i, l := range labels {
		if i > 0 && labels[i-1].Case == l.Case && labels[i-1].Criterion == l.Criterion { // of another turn
			continue
		}
		if i == 0 || labels[i-1].Case != l.Case {
			fmt.Fprintf(&block, "\n  %s:", strconv.Quote(l.Case))
		}
		fmt.Fprintf(&block, "\n    %s: %s", strconv.Quote(l.Criterion), strconv.Quote(l.Fingerprint))
	}
	body := tree.Source.Body
	if strings.HasPrefix(body[tree.Root().Span.Start:], "{") {
		return "", errInBraces
	}
	if p := tree.Root().Pair("fingerprints"); p != nil {
		return body[:p.Key.Span.Start] + block.String() + body[p.Value.Span.End:], nil
	}
	return strings.TrimRight(body, "\n") + "\n\n" + block.String() + "\n", nil
}

// labelsSuffix ends the name of a labels file before its extension, as in refund.labels.yaml.
const labelsSuffix = ".labels"

// EvalFilesForLabels returns the possible base names of the eval file that a labels file belongs
// to, the likeliest first.
func EvalFilesForLabels(name string) (names []string) {
	stem := yamlStem(name)
	stem = stem[:max(0, len(stem)-len(labelsSuffix))]
	return []string{stem + ".eval.yaml", stem + ".eval.yml", stem + ".yaml", stem + ".yml", stem + ".jsonl", stem + ".evalset.json"}
}

// LabelsFileName returns the base name of an eval file's labels file.
func LabelsFileName(name string) string {
	stem := path.Base(strings.ReplaceAll(name, `\`, "/"))
	stem = strings.TrimSuffix(stem, path.Ext(stem))
	for _, kind := range []string{".eval", ".evalset", ".evalset_result"} {
		stem = strings.TrimSuffix(stem, kind)
	}
	return stem + labelsSuffix + ".yaml"
}
