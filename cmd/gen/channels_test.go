package main

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/cli"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// evalFiles are paths of files that editors send to the server, each with a text that the program
// recognises there.
var evalFiles = map[string]string{
	"refund.eval.yaml":               "tests: []",
	"refund.eval.yml":                "evalcases: []",
	"refund.eval.jsonl":              `{"id": "a", "input": "b"}`,
	"evals/refund.yaml":              "evalcases: []",
	"evals/shop/refund.yml":          "evalcases: []",
	"evals/refund.jsonl":             `{"id": "a", "input": "b"}`,
	"refund.labels.yaml":             "labels: {}",
	".rubric.yaml":                   "judge: offline",
	"refund.eval.json":               `{"evalcases": []}`,
	"promptfooconfig.yaml":           "prompts: [Hi]\nproviders: [echo]\ntests: []",
	"promptfooconfig.json":           `{"prompts": ["Hi"], "providers": ["echo"], "tests": []}`,
	"targets.yaml":                   "targets: []",
	".agentv/targets.yaml":           "targets: []",
	".agentv/config.yaml":            "execution: {}",
	".agentv/providers.yaml":         "- {id: openai, label: a}",
	"bank.evalset.json":              `{"eval_cases": []}`,
	"bank.test.json":                 `{"eval_set_id": "a", "eval_cases": []}`,
	"a_1.evalset_result.json":        `{"eval_set_result_id": "a"}`,
	"test_config.json":               `{"criteria": {"response_match_score": 0.8}}`,
	"shop/agent/eval_config.json":    `{"criteria": {"response_match_score": 0.8}}`,
	"shop/agent/.agentv/targets.yml": "targets: []",
}

// otherFiles are paths of files that no editor should send.
var otherFiles = []string{"package.json", "compose.yaml", "labels.yaml", "src/evals.yaml", "rubric.yaml", "agentv/config.yaml", "a.jsonl"}

func TestEvalFiles(t *testing.T) {
	for name, body := range evalFiles {
		if !analysis.Of(analysis.Input{Path: name, Text: body}).Recognised() {
			t.Errorf("the program does not recognise %s", name)
		}
	}
}

// readFile returns the text of a file below the repository's root.
func readFile(t *testing.T, name string) string {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// decodeJSON decodes the text of a file into a value of type T.
func decodeJSON[T any](t *testing.T, name, body string) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(body), &v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}

// globs returns a matcher of paths: `*` stops at a slash and `**/` does not. A pattern without a slash
// matches the base name.
func globs(t *testing.T, patterns []string) func(name string) bool {
	t.Helper()
	if len(patterns) == 0 {
		t.Fatal("no patterns found")
	}
	translate := strings.NewReplacer(`\*\*/`, `(.*/)?`, `\*`, `[^/]*`, `\{`, `(`, `\}`, `)`, `,`, `|`)
	var all []*regexp.Regexp
	for _, p := range patterns {
		if !strings.Contains(p, "/") {
			p = "**/" + p
		}
		all = append(all, regexp.MustCompile("^"+translate.Replace(regexp.QuoteMeta(p))+"$"))
	}
	return func(name string) bool {
		return slices.ContainsFunc(all, func(p *regexp.Regexp) bool { return p.MatchString(name) })
	}
}

// checkPatterns checks that an editor sends eval files, apart from some, and no other files.
func checkPatterns(t *testing.T, patterns []string, except ...string) {
	t.Helper()
	match := globs(t, patterns)
	for name := range evalFiles {
		if wanted := !slices.Contains(except, name); match(name) != wanted {
			t.Errorf("%s: matches: %t", name, !wanted)
		}
	}
	for _, name := range otherFiles {
		if match(name) {
			t.Errorf("%s matches", name)
		}
	}
}

func submatches(pattern, body string) (all []string) {
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(body, -1) {
		all = append(all, m[1])
	}
	return all
}

func TestVSCodePatterns(t *testing.T) {
	patterns := submatches(`pattern: '([^']+)' \}`, readFile(t, "editors/vscode/src/files.ts"))
	manifest := decodeJSON[struct {
		Contributes struct {
			Languages []struct{ Extensions []string }
		}
	}](t, vscodeManifestPath, readFile(t, vscodeManifestPath))
	for _, l := range manifest.Contributes.Languages {
		for _, ending := range l.Extensions {
			patterns = append(patterns, "*"+ending)
		}
	}
	checkPatterns(t, patterns)
}

// TestVSCodePackages checks what the Marketplace shows, and that each platform's package is checked.
func TestVSCodePackages(t *testing.T) {
	manifest := decodeJSON[struct {
		Homepage      string
		Bugs          struct{ URL string }
		GalleryBanner struct{ Color, Theme string }
		Keywords      []string
	}](t, vscodeManifestPath, readFile(t, vscodeManifestPath))
	if manifest.Homepage == "" || manifest.Bugs.URL == "" || manifest.GalleryBanner.Color == "" || manifest.GalleryBanner.Theme == "" ||
		len(manifest.Keywords) == 0 || len(manifest.Keywords) > 30 {
		t.Errorf("%+v", manifest)
	}
	var built []string
	for _, list := range submatches(`\b\w+/\w+:([\w,-]+)`, readFile(t, "editors/vscode/package.sh")) {
		built = append(built, strings.Split(list, ",")...)
	}
	checked := submatches(`'(\w+-\w+)': `, readFile(t, "editors/vscode/packages.mjs"))
	slices.Sort(built)
	slices.Sort(checked)
	want := []string{"alpine-arm64", "alpine-x64", "darwin-arm64", "darwin-x64", "linux-arm64", "linux-armhf", "linux-x64", "win32-arm64", "win32-x64"}
	if !slices.Equal(built, want) || !slices.Equal(checked, want) {
		t.Errorf("built are %v and checked are %v", built, checked)
	}
	for _, name := range []string{"run.md", "results.md"} {
		for _, picture := range submatches(`!\[[^]]+\]\(\.\./([^)]+)\)`, readFile(t, "editors/vscode/sample/"+name)) {
			readFile(t, "editors/vscode/"+picture)
		}
	}
}

func TestHelixPatterns(t *testing.T) {
	patterns := submatches(`glob = "([^"]+)"`, readFile(t, "editors/recipes/README.md"))
	for i, p := range patterns {
		patterns[i] = "**/" + p // Helix looks in any folder
	}
	checkPatterns(t, patterns,
		"refund.eval.jsonl", "evals/refund.jsonl", "refund.eval.json", "promptfooconfig.json", "bank.evalset.json", "bank.test.json", "a_1.evalset_result.json", "test_config.json", "shop/agent/eval_config.json")
}

// runLua runs a script in Neovim without a configuration. The script can read the lists eval_files
// and other_files.
func runLua(t *testing.T, script string) {
	t.Helper()
	nvim, err := exec.LookPath("nvim")
	if err != nil {
		t.Skip("needs nvim")
	}
	quote := func(names []string) string { return "{ '" + strings.Join(names, "', '") + "' }\n" }
	script = "local eval_files = " + quote(slices.Sorted(maps.Keys(evalFiles))) + "local other_files = " + quote(otherFiles) + script
	file := filepath.Join(t.TempDir(), "test.lua")
	if err := os.WriteFile(file, []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(nvim, "--clean", "--headless", "-c", "luafile "+file, "-c", "qall!").CombinedOutput()
	if err != nil || strings.Contains(string(out), "Error") {
		t.Fatalf("%v: %s", err, out)
	}
}

// TestLSPConfig loads the file for nvim-lspconfig without the plugin.
func TestLSPConfig(t *testing.T) {
	file, err := filepath.Abs(filepath.Join("..", "..", "editors", "neovim", "lsp", "rubric.lua"))
	if err != nil {
		t.Fatal(err)
	}
	runLua(t, `
local config = dofile('`+filepath.ToSlash(file)+`')
assert(table.concat(config.cmd, ' ') == 'rubric lsp', 'the command')
vim.fs = { -- of Neovim 0.10
  normalize = function(path) return path end,
  dirname = function(path) return vim.fn.fnamemodify(path, ':h') end,
  root = function() end,
}
local function starts(name)
  vim.api.nvim_buf_set_name(0, '/work/' .. name)
  local folder
  config.root_dir(0, function(found) folder = found end)
  return folder ~= nil
end
for _, name in ipairs(eval_files) do
  assert(starts(name), name)
end
for _, name in ipairs(other_files) do
  assert(not starts(name), name)
end
`)
}

// TestServerCommands checks that every configuration starts a command that the program has.
func TestServerCommands(t *testing.T) {
	if c, _, err := cli.Commands().Find([]string{"lsp"}); err != nil || c.Name() != "lsp" {
		t.Fatal("the program has no command lsp", err)
	}
	template := decodeJSON[struct {
		ID, Name         string
		ProgramArgs      map[string]string
		LanguageMappings []struct{ Language, LanguageID string }
	}](t, "template.json", readFile(t, "editors/recipes/lsp4ij/template.json"))
	if template.ProgramArgs["default"] != "rubric lsp" || template.ProgramArgs["windows"] != "rubric.exe lsp" || len(template.LanguageMappings) != 2 {
		t.Errorf("template.json: %+v", template)
	}
	if installer := readFile(t, "editors/recipes/lsp4ij/installer.json"); !json.Valid([]byte(installer)) || !strings.Contains(installer, `"npm install -g @rubric-ls/cli"`) {
		t.Error("installer.json is not valid")
	}
	readme := readFile(t, "editors/recipes/README.md")
	blocks := submatches("(?s)```json\n(.*?)```", readme)
	if len(blocks) < 3 {
		t.Fatalf("%d blocks of JSON", len(blocks))
	}
	for _, block := range blocks {
		decodeJSON[map[string]any](t, "README.md", block)
	}
	if n := strings.Count(readme, `"command": ["rubric", "lsp"]`); n != 3 { // Kate for YAML and JSON, Sublime Text
		t.Errorf("%d servers in README.md", n)
	}
}

// archives returns the names of a release's archives, without the version.
func archives(t *testing.T) (all []string) {
	t.Helper()
	config := yaml.Parse(text.New("goreleaser.yaml", readFile(t, ".goreleaser.yaml"))).Root()
	build, archive := config.Get("builds").List()[0], config.Get("archives").List()[0]
	if name, _ := archive.Get("name_template").Str(); name != "{{ .ProjectName }}_{{ .Version }}_{{ .Os }}_{{ .Arch }}" {
		t.Fatalf("archives are named %s", name)
	}
	for _, goos := range build.Get("goos").List() {
		for _, goarch := range build.Get("goarch").List() {
			os, _ := goos.Str()
			arch, _ := goarch.Str()
			ending := ".tar.gz"
			if os == "windows" {
				ending = ".zip"
			}
			all = append(all, "_"+os+"_"+arch+ending)
		}
	}
	slices.Sort(all)
	return all
}

func TestMason(t *testing.T) {
	const name = "editors/recipes/mason/package.yaml"
	entry := yaml.Parse(text.New(name, readFile(t, name)))
	for _, p := range entry.Problems {
		t.Errorf("%+v", p)
	}
	var files []string
	for _, asset := range entry.Root().Get("source").Get("asset").List() {
		file, _ := asset.Get("file").Str()
		rest, ok := strings.CutPrefix(file, `rubric_{{ version | strip_prefix "v" }}`)
		program, _ := asset.Get("bin").Str()
		if target, _ := asset.Get("target").Str(); !ok || strings.HasPrefix(target, "win_") != (program == "rubric.exe") {
			t.Errorf("%s: %s has %s", target, file, program)
		}
		files = append(files, rest)
	}
	slices.Sort(files)
	if want := archives(t); !slices.Equal(files, want) {
		t.Errorf("assets are %v, and archives of a release %v", files, want)
	}
}

func TestZed(t *testing.T) {
	source := readFile(t, "editors/zed/src/lib.rs")
	for _, archive := range archives(t) {
		stem, ending, _ := strings.Cut(strings.TrimPrefix(archive, "_"), ".")
		os, arch, _ := strings.Cut(stem, "_")
		if !strings.Contains(source, `("`+os+`", "`+ending+`")`) || !strings.Contains(source, `=> "`+arch+`"`) {
			t.Errorf("lib.rs does not know %s", archive)
		}
	}
	version := regexp.MustCompile(`(?m)^version = "(.+)"$`)
	extension, crate := readFile(t, "editors/zed/extension.toml"), readFile(t, "editors/zed/Cargo.toml")
	vscode := decodeJSON[struct{ Version string }](t, vscodeManifestPath, readFile(t, vscodeManifestPath)).Version
	if a, b := version.FindStringSubmatch(extension), version.FindStringSubmatch(crate); a == nil || b == nil || a[1] != vscode || b[1] != vscode {
		t.Errorf("versions differ: %v, %v and %s of VS Code", a, b, vscode)
	}
	if !strings.Contains(extension, "[language_servers.rubric]") || !strings.Contains(source, `vec!["lsp".to_string()]`) {
		t.Error("the server is not rubric lsp")
	}
}

// TestCatalog checks SchemaStore's entries: the addresses are those of the schemas, and the program
// recognises the files.
func TestCatalog(t *testing.T) {
	entries := decodeJSON[[]catalogEntry](t, catalogPath, readFile(t, catalogPath))
	ids := map[string]bool{}
	for _, doc := range dialect.Schemas() {
		ids[doc.ID] = true
	}
	var patterns []string
	for _, e := range entries {
		patterns = append(patterns, e.FileMatch...)
		if e.Description == "" || !ids[e.URL] {
			t.Errorf("%+v", e)
		}
		for _, url := range e.Versions {
			if !ids[url] {
				t.Errorf("%s: no schema is at %s", e.Name, url)
			}
		}
	}
	checkPatterns(t, patterns, "refund.eval.jsonl", "refund.eval.json", "promptfooconfig.yaml", "promptfooconfig.json", "evals/refund.yaml", "evals/shop/refund.yml", "evals/refund.jsonl", "targets.yaml", "bank.test.json", "test_config.json", "shop/agent/eval_config.json")
}

// TestMirror installs the Neovim plugin from its mirror, as plugin managers do: a clone whose root is
// the plugin.
func TestMirror(t *testing.T) {
	git := func(folder string, args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", folder, "-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"}, args...)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Skipf("git %v: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	root := filepath.Join("..", "..")
	git(root, "rev-parse", "HEAD")
	mirror, clone, files := filepath.Join(t.TempDir(), "rubric.nvim"), filepath.Join(t.TempDir(), "clone"), t.TempDir()
	git(root, "init", "-q", "--bare", "--initial-branch=main", mirror)
	for _, args := range [][]string{{"editors/neovim", mirror, "1.0.0"}, {"editors/neovim", mirror, "1.0.1"}, {"editors/schema", mirror, "1.0.2", "schema"}} {
		cmd := exec.Command("bash", append([]string{filepath.Join(".ci", "release", "mirror.sh")}, args...)...)
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("mirror.sh %v: %v: %s", args, err, out)
		}
	}
	if n := git(mirror, "rev-list", "--count", "main"); n != "2" {
		t.Errorf("%s commits; an unchanged folder needs none", n)
	}
	if got, want := git(mirror, "rev-parse", "v1.0.1^{tree}"), git(root, "rev-parse", "HEAD:editors/neovim"); got != want {
		t.Errorf("the mirror's tree is %s, not %s", got, want)
	}
	if got, want := git(mirror, "rev-parse", "main:schema"), git(root, "rev-parse", "HEAD:editors/schema"); got != want {
		t.Errorf("the tree of the schemas is %s, not %s", got, want)
	}
	git(root, "clone", "-q", mirror, clone)
	for name, body := range evalFiles {
		name = filepath.Join(files, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(body), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	runLua(t, `
vim.opt.swapfile = false
vim.opt.runtimepath:prepend('`+filepath.ToSlash(clone)+`')
vim.cmd('filetype off')
vim.cmd('filetype on')
local function is_rubric(name)
  vim.cmd('edit `+filepath.ToSlash(files)+`/' .. name)
  return vim.bo.filetype:find('%.rubric$') ~= nil
end
for _, name in ipairs(eval_files) do
  assert(is_rubric(name), name)
end
for _, name in ipairs(other_files) do
  assert(not is_rubric(name), name)
end
vim.cmd('enew')
vim.cmd('runtime! plugin/rubric.lua')
assert(vim.fn.exists(':RubricRun') == 2, 'the commands')
vim.cmd('helptags `+filepath.ToSlash(clone)+`/doc')
vim.cmd('help rubric-settings')
`)
}
