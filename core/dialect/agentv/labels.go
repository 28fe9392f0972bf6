package agentv

import (
	"errors"
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
	Doc: "People's grades for the answers to an eval file's cases. `rubric calibrate` compares a judge with them. " +
		"`support.labels.yaml` belongs to `support.eval.yaml`, `support.yaml` or `support.jsonl` in the same folder.",
	Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "labels", Required: true, OnInvalid: "refuses the file", Type: schema.MapOf(schema.MapOf(labelType)),
			Example: map[string]any{"refund-window": map[string]any{"window": true, "tone": 7}},
			Doc:     "Grades by case id and criterion id."},
		{Key: "fingerprints", Type: schema.MapOf(schema.MapOf(schema.String)),
			Doc: "What the grades are for: fingerprints of question, criterion and answer, as `rubric calibrate --pin` writes them. A grade for something else is stale and not counted."},
	},
}

// labelType is the table of one grade.
var labelType = schema.UnionOf(
	&schema.Type{Kind: schema.Bool},
	schema.NumberBetween(0, 10),
	&schema.Type{
		Name: "label", Doc: "A person's grade. The short form is the value of `satisfied` or `score` alone.", Kind: schema.Map,
		RequireAny: []string{"satisfied", "score"}, OnMissingAll: "does not count the label",
		Fields: []*schema.Field{
			{Key: "satisfied", Type: schema.Boolean, Doc: "Whether a checklist criterion is satisfied."},
			{Key: "score", Type: schema.NumberBetween(0, 10), Doc: "The score of a criterion with ranges, 0 to 10."},
			{Key: "note", Type: schema.String, Doc: "Why."},
			{Key: "by", Type: schema.String, Doc: "The person who graded."},
		},
	},
)

// ReadLabels reads a labels file and ignores values that are not grades.
func ReadLabels(tree *yaml.Tree) (labels []rubric.Label) {
	if tree.HasUnboundedAliases() {
		return nil
	}
	for _, c := range tree.Root().Get("labels").Entries() {
		for _, p := range c.Value.Entries() {
			l := rubric.Label{Case: c.Key.Value, Criterion: p.Key.Value, Span: p.Value.Span}
			l.Note, _ = p.Value.Get("note").Str()
			l.By, _ = p.Value.Get("by").Str()
			l.Satisfied, l.Score = readGrade(p.Value)
			l.Fingerprint, _ = tree.Root().Get("fingerprints").Get(l.Case).Get(l.Criterion).Str()
			if l.Satisfied != nil || l.Score != nil {
				labels = append(labels, l)
			}
		}
	}
	return labels
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
		if i == 0 || labels[i-1].Case != l.Case {
			fmt.Fprintf(&block, "\n  %s:", strconv.Quote(l.Case))
		}
		fmt.Fprintf(&block, "\n    %s: %s", strconv.Quote(l.Criterion), strconv.Quote(l.Fingerprint))
	}
	body := tree.Source.Body
	if strings.HasPrefix(body[tree.Root().Span.Start:], "{") {
		return "", errors.New("it is written in braces; write its keys on lines of their own")
	}
	for _, p := range tree.Root().Entries() {
		if p.Key.Value == "fingerprints" {
			return body[:p.Key.Span.Start] + block.String() + body[p.Value.Span.End:], nil
		}
	}
	return strings.TrimRight(body, "\n") + "\n\n" + block.String() + "\n", nil
}

const labelsSuffix = ".labels"

// isLabelsFile reports whether a file name is a labels file's, such as refund.labels.yaml.
func isLabelsFile(name string) bool {
	return strings.HasSuffix(strings.ToLower(yamlStem(strings.ReplaceAll(name, `\`, "/"))), labelsSuffix)
}

// EvalFilesForLabels returns the possible base names of the eval file that a labels file belongs
// to, the likeliest first.
func EvalFilesForLabels(name string) (names []string) {
	stem := yamlStem(strings.ReplaceAll(name, `\`, "/"))
	stem = stem[:max(0, len(stem)-len(labelsSuffix))]
	return []string{stem + ".eval.yaml", stem + ".eval.yml", stem + ".yaml", stem + ".yml", stem + ".jsonl"}
}

// LabelsFileName returns the base name of an eval file's labels file.
func LabelsFileName(name string) string {
	stem := path.Base(strings.ReplaceAll(name, `\`, "/"))
	stem = strings.TrimSuffix(stem, path.Ext(stem))
	return strings.TrimSuffix(stem, ".eval") + labelsSuffix + ".yaml"
}
