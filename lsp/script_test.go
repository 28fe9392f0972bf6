package lsp_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// TestScript plays each testdata/script/*.txtar against a server and compares the
// transcript with the section named want; -update writes it. The archive's other
// sections are the workspace's files. Its comment holds one step a line; a line that
// begins with # is prose:
//
//	open FILE                          opens a document and prints its diagnostics
//	change FILE LINE:COL-LINE:COL NEW  replaces a range by a quoted Go string, prints diagnostics
//	close FILE                         closes a document
//	request METHOD FILE [LINE:COL[-LINE:COL]] [MEMBERS]
//	                                   prints the answer; MEMBERS are further JSON members of the parameters
//	settings JSON                      changes the settings under rubric
//	execute COMMAND FILE ["KEY":VALUE…]  executes a command for a file and prints its result or its error
//
// Lines and columns count from 1, as editors show them.
func TestScript(t *testing.T) {
	paths, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives in testdata/script: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { playArchive(t, path) })
	}
}

func playArchive(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	last := len(archive.Files) - 1
	if last < 0 || archive.Files[last].Name != "want" {
		t.Fatal("the archive needs a last section named want; create it with -update")
	}
	s := &script{t: t, files: map[string]string{}, versions: map[string]int{}}
	for _, f := range archive.Files[:last] {
		s.files["/evals/"+f.Name] = string(f.Data)
	}
	s.editor = start(t, newFolder(s.files), allCapabilities, `"workspaceFolders":[{"uri":"file:///evals","name":"evals"}]`)
	for line := range strings.Lines(string(archive.Comment)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			s.play(line)
		}
	}
	got, want := s.transcript.String(), string(archive.Files[last].Data)
	if got == want {
		return
	} else if !*update {
		t.Fatalf("got\n%s\nwant\n%s", got, want)
	}
	archive.Files[last].Data = []byte(got)
	if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A script is one session of an editor in the folder /evals.
type script struct {
	t          *testing.T
	editor     *lsptest.Editor
	files      map[string]string
	versions   map[string]int // of open documents, by file name
	transcript bytes.Buffer
}

// play does one step.
func (s *script) play(line string) {
	s.t.Helper()
	fmt.Fprintf(&s.transcript, "> %s\n", line)
	words := strings.SplitN(line, " ", 3)
	if words[0] == "settings" {
		s.editor.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":`+strings.TrimPrefix(line, "settings ")+`}}`)
		return
	}
	if len(words) < 2 {
		s.t.Fatalf("%s: name a file", line)
	}
	switch words[0] {
	case "open":
		body, ok := s.files["/evals/"+words[1]]
		if !ok {
			s.t.Fatalf("%s: no such file in the archive", line)
		}
		s.editor.Open(uriOf(words[1]), body)
		s.versions[words[1]] = 1
		s.printDiagnostics(words[1])
	case "change":
		place, quoted, _ := strings.Cut(words[2], " ")
		replacement, err := strconv.Unquote(quoted)
		if err != nil {
			s.t.Fatalf("%s: the new text is no quoted Go string: %v", line, err)
		}
		s.versions[words[1]]++
		s.editor.Change(uriOf(words[1]), s.versions[words[1]], fmt.Sprintf(`{"range":%s,"text":%s}`, s.rangeJSON(place), encodeJSON(replacement)))
		s.printDiagnostics(words[1])
	case "close":
		s.editor.Close(uriOf(words[1]))
	case "execute":
		name, members, more := strings.Cut(words[2], " ")
		if more {
			members = "," + members
		}
		result, failed := commandIn(s.editor, uriOf(name), words[1], members)
		if failed != nil {
			result = []byte(encodeJSON(failed.Message))
		}
		s.printJSON(result)
	case "request":
		s.request(words[1], words[2])
	default:
		s.t.Fatalf("%s: unknown step; use open, change, close, settings, execute or request", line)
	}
}

func uriOf(name string) string { return "file:///evals/" + name }

func (s *script) request(method, arguments string) {
	s.t.Helper()
	name, rest, _ := strings.Cut(arguments, " ")
	params := fmt.Sprintf(`{"textDocument":{"uri":%q}`, uriOf(name))
	place, members, _ := strings.Cut(rest, " ")
	switch {
	case strings.HasPrefix(rest, `"`):
		members = rest
	case strings.Contains(place, "-"):
		params += `,"range":` + s.rangeJSON(place)
	case place != "":
		params += `,"position":` + s.positionJSON(place)
	}
	if members != "" {
		params += "," + members
	}
	s.printJSON(s.editor.Request(method, params+"}"))
}

func (s *script) printJSON(answer []byte) {
	s.t.Helper()
	if err := json.Indent(&s.transcript, answer, "", "  "); err != nil {
		s.t.Fatal(err)
	}
	s.transcript.WriteString("\n")
}

// printDiagnostics prints a document's diagnostics: place, severity, message and rule.
func (s *script) printDiagnostics(name string) {
	s.t.Helper()
	severities := [...]string{1: "error", 2: "warning", 3: "information", 4: "hint"}
	found := s.editor.AwaitDiagnostics(uriOf(name), s.versions[name])
	slices.SortStableFunc(found, func(a, b lsptest.Diagnostic) int { return a.Range.Start.Line - b.Range.Start.Line })
	for _, d := range found {
		fmt.Fprintf(&s.transcript, "%s:%d:%d: %s: %s [%s]\n", name, d.Range.Start.Line+1, d.Range.Start.Character+1, severities[d.Severity], d.Message, d.Code)
	}
	if len(found) == 0 {
		fmt.Fprintf(&s.transcript, "%s: no diagnostics\n", name)
	}
}

func (s *script) rangeJSON(place string) string {
	start, end, _ := strings.Cut(place, "-")
	return fmt.Sprintf(`{"start":%s,"end":%s}`, s.positionJSON(start), s.positionJSON(end))
}

func (s *script) positionJSON(place string) string {
	var line, column int
	if _, err := fmt.Sscanf(place, "%d:%d", &line, &column); err != nil || line < 1 || column < 1 {
		s.t.Fatalf("%q is no LINE:COL", place)
	}
	return fmt.Sprintf(`{"line":%d,"character":%d}`, line-1, column-1)
}

func encodeJSON(v any) string {
	encoded, err := json.Marshal(v)
	if err != nil { // strings always encode
		panic(err)
	}
	return string(encoded)
}
