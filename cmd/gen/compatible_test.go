package main

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/wasm/api"
)

// publicFiles are the derived files that say what semantic versioning covers: file formats with
// labels and results, commands with options, rule ids, and the evaluator's API.
var publicFiles = []string{"editors/schema", "docs/COMMANDS.md", "core/lint/README.md", "wasm/npm/api.d.ts", "wasm/npm/methods.js"}

// A surface is what users of a version rely on.
type surface struct {
	offers  map[string]bool // what works
	demands map[string]bool // what files and parameters must fulfil
	places  map[string]bool // where demands apply
}

var (
	commandHeading = regexp.MustCompile(`^## (rubric( [\w-]+)*)$`)
	commandOption  = regexp.MustCompile(`^\s+(?:-\w, )?(--[\w-]+)`)
	ruleRow        = regexp.MustCompile(`^\| \[([\w-]+)\]`)
	methodName     = regexp.MustCompile(`"(\w+)"`)
	interfaceLine  = regexp.MustCompile(`^export interface (\w+)`)
	fieldLine      = regexp.MustCompile(`^  "?([\w$]+)"?(\??): (.*);$`)
)

// surfaceOf returns the surface of a version's public files.
func surfaceOf(files map[string]string) surface {
	s := surface{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for name, body := range files {
		if schema, ok := strings.CutSuffix(filepath.Base(name), ".schema.json"); ok {
			var root any
			if err := json.Unmarshal([]byte(body), &root); err == nil {
				s.offers["schema "+schema] = true
				s.addSchema("schema "+schema+" ", root)
			}
			continue
		}
		owner := ""
		for line := range strings.Lines(body) {
			line = strings.TrimRight(line, "\n")
			switch {
			case strings.HasSuffix(name, "COMMANDS.md"):
				if m := commandHeading.FindStringSubmatch(line); m != nil {
					owner = m[1]
					s.offers[owner] = true
				} else if m := commandOption.FindStringSubmatch(line); m != nil && owner != "" {
					s.offers[owner+" "+m[1]] = true
				}
			case strings.HasSuffix(name, "README.md"):
				if m := ruleRow.FindStringSubmatch(line); m != nil {
					s.offers["rule "+m[1]] = true
				}
			case strings.HasSuffix(name, "methods.js"):
				for _, m := range methodName.FindAllStringSubmatch(line, -1) {
					s.offers["method "+m[1]] = true
				}
			case strings.HasSuffix(name, "api.d.ts"):
				if m := interfaceLine.FindStringSubmatch(line); m != nil {
					owner = m[1]
					s.places["type "+owner] = true
				} else if m := fieldLine.FindStringSubmatch(line); m != nil {
					s.addField(owner, m[1], m[2] == "?", m[3])
				}
			}
		}
	}
	return s
}

// addField adds a field of a type of the API. A parameter may become optional and a result may not.
func (s surface) addField(owner, field string, optional bool, kind string) {
	place := "type " + owner
	s.offers[place+"."+field+": "+kind] = true
	switch isParameter := strings.HasSuffix(owner, "Params"); {
	case isParameter && !optional:
		s.demands[place+"\x00."+field+" is required"] = true
	case !isParameter && !optional:
		s.offers[place+"."+field+" is always there"] = true
	}
}

// addSchema adds a JSON Schema at a path. Every keyword that limits values is a demand.
func (s surface) addSchema(path string, node any) {
	schema, ok := node.(map[string]any)
	if !ok {
		return
	}
	s.places[path] = true
	for key, value := range schema {
		switch key {
		case "properties", "definitions":
			for name, sub := range value.(map[string]any) {
				s.offers[path+"/"+name] = true
				s.addSchema(path+"/"+name, sub)
			}
		case "items", "additionalProperties", "then", "else", "propertyNames":
			if value == false {
				s.demands[path+"\x00 forbids other keys"] = true
			}
			s.addSchema(path+"/"+key, value)
		case "allOf", "anyOf", "oneOf":
			for i, sub := range value.([]any) {
				s.addSchema(fmt.Sprintf("%s/%s/%d", path, key, i), sub)
			}
		case "type", "enum":
			s.demands[path+"\x00 limits its "+key] = true
			values, isList := value.([]any)
			if !isList {
				values = []any{value}
			}
			for _, v := range values {
				s.offers[fmt.Sprintf("%s: %s %v", path, key, v)] = true
			}
		case "required":
			for _, name := range value.([]any) {
				s.demands[fmt.Sprintf("%s\x00/%v is required", path, name)] = true
			}
		case "if", "not": // conditions: more values may mean fewer demands
		case "$schema", "$id", "title", "description", "examples", "default":
		default:
			s.demands[fmt.Sprintf("%s\x00: %s %v", path, key, value)] = true
		}
	}
}

// breakingChanges returns what worked in the old files and does not in the new ones.
func breakingChanges(old, new map[string]string) (all []string) {
	before, after := surfaceOf(old), surfaceOf(new)
	for offer := range before.offers {
		if !after.offers[offer] {
			all = append(all, "gone: "+offer)
		}
	}
	for demand := range after.demands {
		if place, rest, _ := strings.Cut(demand, "\x00"); before.places[place] && !before.demands[demand] {
			all = append(all, "new: "+place+rest)
		}
	}
	slices.Sort(all)
	return all
}

// isAllowed reports whether a version may break its predecessor: a major version, and before 1.0.0 a
// minor one.
func isAllowed(last, next string) bool {
	var a, b [3]int
	for _, v := range []struct {
		text string
		to   *[3]int
	}{{last, &a}, {next, &b}} {
		if _, err := fmt.Sscanf(strings.TrimPrefix(v.text, "v"), "%d.%d.%d", &v.to[0], &v.to[1], &v.to[2]); err != nil {
			return false
		}
	}
	return b[0] > a[0] || a[0] == 0 && b[0] == 0 && b[1] > a[1]
}

// TestCompatible compares the public files with those of the last release.
func TestCompatible(t *testing.T) {
	root := filepath.Join("..", "..")
	git := func(args ...string) ([]byte, error) {
		return exec.Command("git", append([]string{"-C", root}, args...)...).Output()
	}
	described, err := git("describe", "--tags", "--abbrev=0", "--match", "v[0-9]*.[0-9]*.[0-9]*", "--exclude", "*-*")
	if err != nil {
		t.Log("there is no release tag: nothing to compare with")
		return
	}
	tag := strings.TrimSpace(string(described))
	names, err := git(append([]string{"ls-tree", "-r", "--name-only", tag, "--"}, publicFiles...)...)
	if err != nil {
		t.Fatalf("%s: %v", tag, err)
	}
	archive, err := git(append([]string{"archive", tag}, strings.Fields(string(names))...)...)
	if err != nil {
		t.Fatalf("%s: %v", tag, err)
	}
	old, current := map[string]string{}, currentFiles(t)
	for r := tar.NewReader(bytes.NewReader(archive)); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		old[header.Name] = string(body)
	}
	changes := breakingChanges(old, current)
	if len(changes) > 0 && !isAllowed(tag, api.Version) {
		t.Errorf("version %s may not break %s. Keep what follows, or raise the version in wasm/api/call.go:\n%s", api.Version, tag, strings.Join(changes, "\n"))
	}
}

// currentFiles returns the public files of the working tree.
func currentFiles(t *testing.T) map[string]string {
	t.Helper()
	root, files := filepath.Join("..", ".."), map[string]string{}
	for _, name := range publicFiles {
		err := filepath.WalkDir(filepath.Join(root, filepath.FromSlash(name)), func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			body, err := os.ReadFile(path)
			files[path] = string(body)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// TestSurface checks that something of each kind is compared.
func TestSurface(t *testing.T) {
	files := currentFiles(t)
	s := surfaceOf(files)
	for _, want := range []string{
		"schema agentv-labels", "schema agentv-labels /labels", "schema adk-evalset /eval_cases", "schema adk-results /eval_set_result_id",
		"rubric run", "rubric run --judge", "rule alias-cycle", "method run", "type VersionResult.version: string",
	} {
		if !s.offers[want] {
			t.Errorf("%s is not compared", want)
		}
	}
	if changes := breakingChanges(files, files); len(changes) > 0 {
		t.Errorf("the same files differ: %v", changes)
	}
}

func TestBreakingChanges(t *testing.T) {
	files := map[string]string{
		"a.schema.json":    `{"type": "object", "properties": {"a": {"type": ["string", "null"]}, "b": {}, "c": {"enum": ["x", "y"]}}, "required": ["a"]}`,
		"docs/COMMANDS.md": "## rubric run\n\n      --judge NAME   the judge\n  -o, --out FILE   where\n",
		"lint/README.md":   "| [no-cases](#no-cases) | error | |\n",
		"npm/methods.js":   `export const methods = ["run", "check"];`,
		"npm/api.d.ts":     "export interface RunParams {\n  text?: string;\n  path: string;\n}\nexport interface RunResult {\n  score: number;\n  cost?: number;\n}\n",
	}
	for _, test := range []struct{ file, old, new, want string }{
		{"a.schema.json", `"b": {}, `, ``, "gone: schema a /b"},
		{"a.schema.json", `["string", "null"]`, `"string"`, "gone: schema a /a: type null"},
		{"a.schema.json", `, "y"`, ``, "gone: schema a /c: enum y"},
		{"a.schema.json", `["a"]`, `["a", "c"]`, "new: schema a /c is required"},
		{"a.schema.json", `"b": {}`, `"b": {"type": "string"}`, "new: schema a /b limits its type"},
		{"a.schema.json", `"b": {}`, `"b": {"minLength": 1}`, "new: schema a /b: minLength 1"},
		{"a.schema.json", `"type": "object"`, `"type": "object", "additionalProperties": false`, "new: schema a  forbids other keys"},
		{"a.schema.json", `"b": {}`, `"b": {}, "d": {"type": "string", "pattern": "x"}`, ""},
		{"a.schema.json", `, "y"`, `, "y", "z"`, ""},
		{"a.schema.json", `"required": ["a"]`, `"required": []`, ""},
		{"docs/COMMANDS.md", "--judge NAME", "--judges NAME", "gone: rubric run --judge"},
		{"docs/COMMANDS.md", "-o, --out FILE", "--output FILE", "gone: rubric run --out"},
		{"docs/COMMANDS.md", "## rubric run", "## rubric test\n\n## rubric run", ""},
		{"lint/README.md", "no-cases", "empty", "gone: rule no-cases"},
		{"npm/methods.js", `, "check"`, ``, "gone: method check"},
		{"npm/api.d.ts", "  text?: string;\n", "", "gone: type RunParams.text: string"},
		{"npm/api.d.ts", "text?: string", "text: string", "new: type RunParams.text is required"},
		{"npm/api.d.ts", "path: string", "path?: string", ""},
		{"npm/api.d.ts", "score: number", "score?: number", "gone: type RunResult.score is always there"},
		{"npm/api.d.ts", "cost?: number", "cost: number", ""},
	} {
		changed := maps.Clone(files)
		changed[test.file] = strings.Replace(files[test.file], test.old, test.new, 1)
		if changed[test.file] == files[test.file] {
			t.Fatalf("%s is not in %s", test.old, test.file)
		}
		if got := strings.Join(breakingChanges(files, changed), "; "); got != test.want {
			t.Errorf("%s to %s: %q, want %q", test.old, test.new, got, test.want)
		}
	}
	for _, test := range []struct {
		last, next string
		want       bool
	}{{"v1.2.3", "1.3.0-dev", false}, {"v1.2.3", "2.0.0-dev", true}, {"v0.1.0", "0.1.1-dev", false}, {"v0.1.0", "0.2.0-dev", true}, {"v0.9.0", "1.0.0", true}, {"v2.0.0", "1.5.0", false}} {
		if got := isAllowed(test.last, test.next); got != test.want {
			t.Errorf("%s after %s: %t", test.next, test.last, got)
		}
	}
}
