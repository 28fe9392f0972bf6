package agentv

import (
	"path"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// ReadLabels reads a labels file; what is no grade is left out.
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
			if l.Satisfied != nil || l.Score != nil {
				labels = append(labels, l)
			}
		}
	}
	return labels
}

// readGrade reads a grade, in short or in full.
func readGrade(n *yaml.Node) (satisfied *bool, score *float64) {
	short, full := n, n.Get("satisfied")
	if n.IsMap() {
		short = full
	}
	if satisfies, ok := short.Bool(); ok {
		return &satisfies, nil
	}
	if n.IsMap() {
		short = n.Get("score")
	}
	if of10, ok := short.Number(); ok && of10 >= 0 && of10 <= 10 {
		return nil, &of10
	}
	return nil, nil
}

const labelsSuffix = ".labels"

// isLabelsFile reports whether a file is called labels: refund.labels.yaml.
func isLabelsFile(name string) bool {
	return strings.HasSuffix(strings.ToLower(yamlStem(strings.ReplaceAll(name, `\`, "/"))), labelsSuffix)
}

// EvalFilesForLabels are the names that the eval file of a labels file may have, the likeliest
// first, without the folder.
func EvalFilesForLabels(name string) (names []string) {
	stem := yamlStem(strings.ReplaceAll(name, `\`, "/"))
	stem = stem[:max(0, len(stem)-len(labelsSuffix))]
	return []string{stem + ".eval.yaml", stem + ".eval.yml", stem + ".yaml", stem + ".yml", stem + ".jsonl"}
}

// LabelsFileName is the name of the labels file of an eval file, without the folder.
func LabelsFileName(name string) string {
	stem := path.Base(strings.ReplaceAll(name, `\`, "/"))
	stem = strings.TrimSuffix(stem, path.Ext(stem))
	return strings.TrimSuffix(stem, ".eval") + labelsSuffix + ".yaml"
}
