package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/rubric-ls/rubric/cmd/internal/cli"
	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/action"
	"github.com/rubric-ls/rubric/core/ide/requests"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
)

var update = flag.Bool("update", false, "write docs/PARITY.md")

// TestParity: docs/PARITY.md shows which rules, editor features and commands work in which dialect.
func TestParity(t *testing.T) {
	root := filepath.Join("..", "..")
	path := filepath.Join(root, "docs", "PARITY.md")
	want, err := parityMarkdown(root)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		err = os.WriteFile(path, []byte(want), 0o644)
	}
	got, readErr := os.ReadFile(path)
	if err != nil || readErr != nil || string(got) != want {
		t.Errorf("docs/PARITY.md is stale, %v, %v; run make generate", err, readErr)
	}
}

// parityColumns are the dialects of the tables. They are folders of testdata/parity and of
// testdata/corpus, too.
var parityColumns = []string{"agentv-seed", "agentv-4", "agentv-head", "adk", "promptfoo"}

// parityMarkdown returns which rules, editor features and commands work in which dialect. Each cell is
// what the program does with the files of testdata.
func parityMarkdown(root string) (string, error) {
	files, err := parityFiles(root)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("# What works in which dialect\n\n" + generatedNotice +
		"Each ● is an observation: the program was run on the files of `testdata/corpus` and `testdata/parity`, on those of tests of rules, and on the\n" +
		"rules' own examples, with the keys of each version of AgentV. An empty cell means that none of them shows it.\n")
	rules := ruleCells(files)
	writeParity(&b, "Rules", "A rule reports something in a file of the dialect.", lint.RuleIDs(), rules)
	features, names := featureCells(files)
	writeParity(&b, "Editor features", "The request has an answer somewhere in a file of the dialect.", names, features)
	commands, invocations, err := commandCells(root)
	if err != nil {
		return "", err
	}
	writeParity(&b, "Commands", "The command works on a file of the dialect.", invocations, commands)
	return b.String(), nil
}

// cells are the cells with a mark, by row and column.
type cells map[[2]string]bool

func writeParity(b *strings.Builder, title, meaning string, rows []string, marked cells) {
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n| | AgentV January 2026 | AgentV 4 | AgentV head | ADK | promptfoo |\n|---|:-:|:-:|:-:|:-:|:-:|\n", title, meaning)
	for _, row := range rows {
		fmt.Fprintf(b, "| `%s` |", row)
		for _, column := range parityColumns {
			mark := ""
			if marked[[2]string{row, column}] {
				mark = " ●"
			}
			b.WriteString(mark + " |")
		}
		b.WriteByte('\n')
	}
}

// parityFile is a file with the column that it belongs to.
type parityFile struct {
	column string
	*analysis.Analysis
}

// parityFiles analyses all eval files of the corpus and the examples of the rules.
func parityFiles(root string) (files []parityFile, err error) {
	severities := map[string]diag.Severity{}
	for _, r := range lint.All() {
		severities[r.ID] = r.Severity
	}
	add := func(a *analysis.Analysis) {
		if column := parityColumn(a); column != "" {
			files = append(files, parityFile{column, a})
		}
	}
	for _, rule := range lint.All() {
		body, _ := lint.ParseMarkers(rule.Bad)
		example := analysis.Of(analysis.RuleExample(rule, body))
		add(example)
		for _, version := range []agentv.Version{agentv.V4, agentv.Head} { // the same fault with the keys of another version
			edits, _, err := action.Migrate(example, version)
			if body, failed := text.Apply(body, edits); err == nil && failed == nil && len(edits) > 0 {
				if version == agentv.Head {
					body = restructureForHead(body)
				}
				add(analysis.Of(analysis.RuleExample(rule, body)))
			}
		}
	}
	archives, err := filepath.Glob(filepath.Join(root, "cmd/rubric/testdata/check/*.txtar"))
	if err != nil {
		return nil, err
	}
	for _, path := range append(archives, filepath.Join(root, "core/lint/rules/testdata/adk.txtar")) {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			return nil, err
		}
		addArchive(archive, severities, add)
	}
	for _, folder := range []string{"parity", "corpus"} {
		err := filepath.WalkDir(filepath.Join(root, "testdata", folder), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !slices.Contains([]string{".yaml", ".yml", ".json", ".jsonl"}, filepath.Ext(path)) {
				return err
			}
			body, err := os.ReadFile(path)
			if err == nil {
				in := host.NewInput(path, string(body))
				in.Severities = severities
				add(analysis.Of(in))
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// restructureForHead moves what [action.Migrate] leaves to people: a case's question becomes a variable
// of a prompt, and its rubric an assertion.
func restructureForHead(body string) string {
	var b strings.Builder
	b.WriteString("prompts: ['{{ q }}']\n")
	isRubric := false
	for line := range strings.Lines(body) {
		isRubric = isRubric && strings.HasPrefix(line, "      ")
		question, asks := strings.CutPrefix(line, "    input: ")
		switch {
		case asks:
			fmt.Fprintf(&b, "    vars: { q: %q }\n", strings.TrimSpace(question))
		case strings.TrimSpace(line) == "rubrics:":
			isRubric = true
			b.WriteString("    assert:\n      - type: llm-rubric\n        value:\n")
		case isRubric:
			b.WriteString("    " + line)
		default:
			b.WriteString(strings.Replace(line, "    criteria: ", "    description: ", 1))
		}
	}
	return b.String()
}

// addArchive analyses the files of an archive. Each group of files, which is a folder, ends with "want".
func addArchive(archive *txtar.Archive, severities map[string]diag.Severity, add func(*analysis.Analysis)) {
	folder := map[string]string{}
	for _, f := range archive.Files {
		name, _, _ := strings.Cut(f.Name, " ")
		if name != "want" {
			folder[name] = string(f.Data)
			continue
		}
		bodies := folder
		for name, body := range bodies {
			in := analysis.Input{Path: name, Text: body, Severities: severities, FolderNames: func() []string { return slices.Sorted(maps.Keys(bodies)) }}
			in.ReadFile = func(name string) (body string, found bool) {
				body, found = bodies[name]
				return body, found
			}
			add(analysis.Of(in))
		}
		folder = map[string]string{}
	}
}

// parityColumn returns the column of an eval file.
func parityColumn(a *analysis.Analysis) string {
	switch {
	case a.ADK() != adk.None:
		return "adk"
	case a.Dialect() != agentv.Name:
		return a.Dialect()
	case a.Version() == agentv.V4:
		return "agentv-4"
	case a.Version() == agentv.Head:
		return "agentv-head"
	}
	return "agentv-seed"
}

func ruleCells(files []parityFile) cells {
	marked := cells{}
	for _, f := range files {
		for _, d := range f.Diagnostics() {
			marked[[2]string{d.Code, f.column}] = true
		}
	}
	return marked
}

// mostFiles is how many files of a dialect are asked about before a request counts as unanswered.
const mostFiles = 60

// featureCells asks every question of editors at every word of the files, until one has an answer.
func featureCells(files []parityFile) (marked cells, names []string) {
	marked = cells{}
	for _, route := range requests.Routes() {
		name, isFeature := strings.CutPrefix(route.Method, "textDocument/")
		if !isFeature {
			continue
		}
		names = append(names, name)
		asked := map[string]int{}
		for _, f := range files {
			key := [2]string{name, f.column}
			if !marked[key] && asked[f.column] < mostFiles {
				asked[f.column]++
				marked[key] = hasAnswer(route, f.Analysis)
			}
		}
	}
	return marked, names
}

// hasAnswer reports whether a request has an answer at one of the first words of a file, or about
// formatting at one of its first lines.
func hasAnswer(route requests.Route, a *analysis.Analysis) bool {
	const most = 60 // words or lines
	body := a.Body()
	switch {
	case route.Method == "textDocument/onTypeFormatting":
		lines := strings.SplitAfter(body, "\n")
		for i := 1; i < min(len(lines), most); i++ {
			broken := analysis.Of(analysis.Input{Path: a.Source().Name, Text: strings.Join(lines[:i], "") + "\n" + strings.Join(lines[i:], "")})
			if answers(route, broken, text.Position{Line: i}) {
				return true
			}
		}
		return false
	case strings.HasSuffix(route.Method, "ormatting"):
		return answers(route, analysis.Of(analysis.Input{Path: a.Source().Name, Text: strings.ReplaceAll(body, "\n", "  \n")}), text.Position{})
	}
	asked := 0
	for i, r := range body {
		isStart := unicode.IsLetter(r) && (i == 0 || !unicode.IsLetter(rune(body[i-1])))
		if !isStart || asked == most {
			continue
		}
		asked++
		if answers(route, a, a.Source().OffsetPosition(i+1, text.UTF16)) {
			return true
		}
	}
	return false
}

// answers reports whether a request about a place has an answer with content.
func answers(route requests.Route, a *analysis.Analysis, at text.Position) bool {
	const uri = "file:///sample"
	whole := a.Source().SpanRange(text.Span{End: a.Length()}, text.UTF16)
	params, err := json.Marshal(map[string]any{
		"textDocument": map[string]string{"uri": uri}, "position": at, "positions": []text.Position{at}, "range": whole, "newName": "renamed", "ch": "\n",
		"context": map[string]any{"diagnostics": []any{}, "includeDeclaration": true}, "options": map[string]any{"tabSize": 2, "insertSpaces": true},
	})
	if err != nil {
		return false
	}
	_, ask, err := route.Bind(params, json.Unmarshal)
	if err != nil {
		return false
	}
	f := &ide.File{Analysis: a, URI: uri, Client: &ide.Browser}
	f.Host = ide.Host{
		Outcomes: func() ide.Results { return nil }, DiagnosticsIn: func(span text.Span) []diag.Diagnostic { return a.DiagnosticsIn(span, nil) },
		FileURI: func(name string) string { return name }, LinkTarget: func(ide.Link) string { return uri }, ShowMessage: func(string) {},
	}
	answer, err := ask(f)
	encoded, encodeErr := json.Marshal(answer)
	return err == nil && encodeErr == nil && !slices.Contains([]string{"null", "[]", "{}", `{"data":[]}`, `{"items":[]}`, `{"isIncomplete":false,"items":[]}`}, string(encoded))
}

// parityCommands are calls of the commands that take an eval file. FILE stands for it, and OTHER for
// another dialect.
var parityCommands = []string{
	"check FILE", "check --effective FILE", "generate rubrics FILE --diff", "convert FILE --to OTHER", "run FILE", "run FILE --dry-run",
	"run FILE --out results.jsonl", "rescore results.jsonl FILE", "test FILE", "calibrate FILE", "calibrate FILE --run results.jsonl",
	"score FILE --case refund --reply reply.txt",
}

// commandCells runs the commands in copies of the folders of testdata/parity.
func commandCells(root string) (marked cells, names []string, err error) {
	marked = cells{}
	was, err := os.Getwd()
	if err != nil {
		return nil, nil, err
	}
	defer os.Chdir(was)
	for _, column := range parityColumns {
		folder, err := os.MkdirTemp("", "parity")
		if err != nil {
			return nil, nil, err
		}
		defer os.RemoveAll(folder)
		if err = os.CopyFS(folder, os.DirFS(filepath.Join(was, root, "testdata", "parity", column))); err == nil {
			err = os.Chdir(folder)
		}
		if err != nil {
			return nil, nil, err
		}
		file, other, id := "sample.eval.yaml", "adk", "refund"
		switch column {
		case "adk":
			file, other = "sample.evalset.json", "agentv"
		case "promptfoo":
			file, other, id = "sample.yaml", "agentv", "test-1"
		}
		for _, command := range parityCommands {
			args := strings.Fields(strings.NewReplacer("FILE", file, "OTHER", other, "refund", id).Replace(command))
			if slices.Contains([]string{"run", "test", "calibrate"}, args[0]) && !slices.Contains(args, "--run") {
				args = append(args, "--judge", "offline", "--no-cache")
			}
			marked[[2]string{command, column}] = cli.Main(args, bytes.NewReader(nil), io.Discard, io.Discard) != 2
		}
	}
	return marked, parityCommands, nil
}
