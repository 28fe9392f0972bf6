package agentv

import (
	"path"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// ReadLabels reads a labels file; what is no grade is left out.
func ReadLabels(tree *yaml.Tree) (labels []rubric.Label) {
	if tree.Endless() {
		return nil
	}
	for _, c := range tree.Root().Get("labels").Entries() {
		for _, p := range c.Value.Entries() {
			l := rubric.Label{Case: c.Key.Value, Criterion: p.Key.Value, Span: p.Value.Span}
			l.Note, _ = p.Value.Get("note").Str()
			l.By, _ = p.Value.Get("by").Str()
			l.Satisfied, l.Score = graded(p.Value)
			if l.Satisfied != nil || l.Score != nil {
				labels = append(labels, l)
			}
		}
	}
	return labels
}

// graded reads a grade, in short or in full.
func graded(n *yaml.Node) (satisfied *bool, score *float64) {
	short, full := n, n.Get("satisfied")
	if n.IsMap() {
		short = full
	}
	if is, ok := short.Bool(); ok {
		return &is, nil
	}
	if n.IsMap() {
		short = n.Get("score")
	}
	if of10, ok := short.Number(); ok && of10 >= 0 && of10 <= 10 {
		return nil, &of10
	}
	return nil, nil
}

const labelsName = ".labels"

// isLabelsName reports whether a file is called labels: refund.labels.yaml.
func isLabelsName(name string) bool {
	return strings.HasSuffix(strings.ToLower(base(strings.ReplaceAll(name, `\`, "/"))), labelsName)
}

// Labelled are the names that the eval file of a labels file may have, the likeliest
// first, without the folder.
func Labelled(name string) (names []string) {
	stem := base(strings.ReplaceAll(name, `\`, "/"))
	stem = stem[:max(0, len(stem)-len(labelsName))]
	return []string{stem + ".eval.yaml", stem + ".eval.yml", stem + ".yaml", stem + ".yml", stem + ".jsonl"}
}

// LabelsOf is the name of the labels file of an eval file, without the folder.
func LabelsOf(name string) string {
	stem := path.Base(strings.ReplaceAll(name, `\`, "/"))
	stem = strings.TrimSuffix(stem, path.Ext(stem))
	return strings.TrimSuffix(stem, ".eval") + labelsName + ".yaml"
}
