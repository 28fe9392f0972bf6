package analysis

import (
	"path"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/newer"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Input is one file and what has to be known of those beside it.
type Input struct {
	Path    string // tells the format; may be made up
	Text    string
	Sidecar *string // for JSONL: the text of the YAML file of the same name, if there is one
	// HasCases says that a JSONL file of the same name is beside this YAML file.
	HasCases bool
	// Severities change those of rules, by their id; 0 turns a rule off.
	Severities map[string]diag.Severity
	// Files gives the text of a file that this one refers to; nil where nobody
	// can tell. It must give the same answer for as long as the analysis is used.
	Files func(reference string) (body string, found bool)
	// Targets are the names in the targets file that holds for this file; nil if
	// there is none.
	Targets []string
	// Schemas applies the JSON Schema that the file names; nil where nobody can.
	Schemas lint.Schemas
}

// Analysis is everything known about one file. It never changes.
type Analysis struct {
	Source      *text.Source
	Dialect     string
	Role        agentv.Role
	Tree        *yaml.Tree
	Suite       *rubric.Suite // never nil; empty for a file without cases
	Diagnostics []diag.Diagnostic

	input Input
}

// Of analyses one file. It never fails: what is wrong is in the diagnostics.
func Of(in Input) *Analysis {
	a := &Analysis{Source: text.New(in.Path, in.Text), Dialect: agentv.Name, input: in}
	if agentv.Format(in.Path) == "jsonl" {
		a.Tree = yaml.ParseLines(a.Source)
	} else {
		a.Tree = yaml.Parse(a.Source)
	}
	a.Role = agentv.RoleOf(in.Path, a.Tree.Root(), in.HasCases)
	a.Suite = a.lower()
	a.Diagnostics = lint.Run(lint.Pass{
		Source: a.Source, Tree: a.Tree, Suite: a.Suite, Role: string(a.Role), Shape: a.shape(), Severities: in.Severities,
		Files: in.Files, Targets: in.Targets, Schemas: in.Schemas,
	})
	return a
}

func (a *Analysis) lower() *rubric.Suite {
	name := strings.TrimSuffix(path.Base(strings.ReplaceAll(a.input.Path, `\`, "/")), path.Ext(a.input.Path))
	switch a.Role {
	case agentv.Later:
		return newer.Lower(a.Tree, name, newer.VersionOf(a.Tree.Root()))
	case agentv.Eval:
		return agentv.Lower(a.Tree, name)
	case agentv.Cases:
		var sidecar *yaml.Tree
		if a.input.Sidecar != nil {
			sidecar = yaml.Parse(text.New("", *a.input.Sidecar))
		}
		return agentv.LowerLines(a.Tree, name, sidecar)
	}
	return &rubric.Suite{Dialect: agentv.Name, Name: name}
}

// shape is where the tree does not fit its table; later versions have none yet.
// Of YAML only the first
// document is read, of JSONL all that hold something.
func (a *Analysis) shape() []conform.Mismatch {
	if a.Tree.Endless() || a.Role == agentv.Later {
		return nil
	}
	table := agentv.FileOf(a.Role).Type
	if a.Role != agentv.Cases {
		found := conform.Check(table, a.Tree.Root())
		agentv.OtherVersions(found)
		return found
	}
	var all []conform.Mismatch
	for _, doc := range a.Tree.Docs {
		if !doc.Root.IsNull() {
			all = append(all, conform.Check(table, doc.Root)...)
		}
	}
	agentv.OtherVersions(all)
	return all
}

// Recognised reports whether the file says of itself that it is one of ours,
// which a file found in a folder has to. A file that was named need not.
func (a *Analysis) Recognised() bool {
	return agentv.Recognised(a.Role, a.input.Path, a.Tree.Root()) || a.Role == agentv.Cases && a.input.Sidecar != nil
}

// CaseNode is where a case of the suite stands in the tree; nil if it is not
// of this suite.
func (a *Analysis) CaseNode(c *rubric.Case) *yaml.Node {
	entries := a.Tree.Root().Get("evalcases").List()
	if a.Role == agentv.Cases {
		for _, doc := range a.Tree.Docs {
			entries = append(entries, doc.Root)
		}
	}
	for _, n := range entries {
		if target := n.Follow(); target != nil && target.Span == c.Span {
			return target
		}
	}
	return nil
}
