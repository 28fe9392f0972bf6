package main

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// root returns the repository's root, and skips the test if a program is missing.
func root(t *testing.T, programs ...string) string {
	t.Helper()
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil || runtime.GOOS == "windows" {
			t.Skipf("needs %s", name)
		}
	}
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
		t.Fatal(err)
	}
}

// project returns a folder with an eval file whose expected outputs pass.
func project(t *testing.T, root string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "evals", "support.eval.yaml"), read(t, filepath.Join(root, "testdata/quickstart/support.eval.yaml")))
	return dir
}

// bash runs a command of a CI system, and returns its output and exit status.
func bash(t *testing.T, dir string, env []string, args ...string) (string, int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "XDG_CACHE_HOME="+filepath.Join(dir, ".cache")), env...)
	out, err := cmd.CombinedOutput()
	var status *exec.ExitError
	if err != nil && !errors.As(err, &status) {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// fakeGH answers as the `gh` of GitHub's runners: a list of comments from the file found, and
// else it stores what it is sent.
const fakeGH = `#!/usr/bin/env bash
case "$*" in
  *--paginate*) cat "$FAKE/found" ;;
  *) echo "$*" >> "$FAKE/sent"; cp "${6#body=@}" "$FAKE/body" ;;
esac
`

func TestAction(t *testing.T) {
	root := root(t, "bash", "jq")
	dir, fake := project(t, root), t.TempDir()
	write(t, filepath.Join(fake, "gh"), fakeGH)
	write(t, filepath.Join(fake, "found"), "")
	write(t, filepath.Join(fake, "event.json"), `{"pull_request":{"number":7}}`)
	run := func(env ...string) (string, int) {
		t.Helper()
		return bash(t, dir, append([]string{
			"PATH=" + fake + string(filepath.ListSeparator) + os.Getenv("PATH"), "FAKE=" + fake, "RUNNER_TEMP=" + filepath.Join(dir, ".temp"),
			"GITHUB_OUTPUT=" + filepath.Join(fake, "output"), "GITHUB_STEP_SUMMARY=" + filepath.Join(fake, "summary"),
			"GITHUB_REPOSITORY=o/r", "GITHUB_BASE_REF=", "GITHUB_EVENT_PATH=", "RUBRIC_RUN=evals/**/*.eval.yaml", "RUBRIC_TARGET=self", "RUBRIC_JOB=evals-1",
		}, env...), filepath.Join(root, ".ci/action/run.sh"))
	}
	results := filepath.Join(dir, ".temp", "rubric-results")

	if out, status := run(); status != 0 {
		t.Fatalf("main: %d\n%s", status, out)
	}
	if summary := read(t, filepath.Join(fake, "summary")); !strings.Contains(summary, "Lint: 0 errors, 0 warnings.") || !strings.Contains(summary, "| support.eval | 5 | 0 | 0 | 0 | 0.965 |") {
		t.Errorf("the summary of main is\n%s", summary)
	}
	if got := read(t, filepath.Join(fake, "output")); got != "results="+results+"\n" {
		t.Errorf("the output is %s", got)
	}
	for _, name := range []string{"rubric.sarif", "results.jsonl", "junit.xml", "report.html"} {
		if read(t, filepath.Join(results, name)) == "" {
			t.Errorf("%s is empty", name)
		}
	}

	// A pull request is compared with main, and a second run replaces its comment.
	pull := []string{"GITHUB_BASE_REF=main", "GITHUB_EVENT_PATH=" + filepath.Join(fake, "event.json"), "RUBRIC_TARGET=mock:hello"}
	if out, status := run(append(pull, "RUBRIC_FAIL_ON=regression")...); status != 1 {
		t.Errorf("a regression: %d\n%s", status, out)
	}
	body := read(t, filepath.Join(fake, "body"))
	for _, want := range []string{"<!-- rubric evals-1 -->\n### rubric\n", "#### Against `main`\n\n### 0 won, 5 lost, 0 tied of 5; mean difference -0.781; too few cases for an interval\n", "| `opening-hours` | 1 | 0 | -1 | lost |"} {
		if !strings.Contains(body, want) {
			t.Errorf("the comment has no %q:\n%s", want, body)
		}
	}
	write(t, filepath.Join(fake, "found"), "41\n42\n")
	if out, status := run(append(pull, "RUBRIC_FAIL_ON=never")...); status != 0 {
		t.Errorf("never: %d\n%s", status, out)
	}
	sent := read(t, filepath.Join(fake, "sent"))
	if !strings.Contains(sent, "api -X POST repos/o/r/issues/7/comments ") || !strings.Contains(sent, "api -X PATCH repos/o/r/issues/comments/41 ") {
		t.Errorf("sent\n%s", sent)
	}

	// Errors of the lint are annotations, and fail the step whatever fails the run.
	write(t, filepath.Join(dir, "evals", "broken.eval.yaml"), read(t, filepath.Join(root, "testdata/readme/refund.eval.yaml")))
	out, status := run("RUBRIC_RUN=", "RUBRIC_FAIL_ON=never")
	if status != 1 || !strings.Contains(out, "::error file=evals/broken.eval.yaml,line=8,") {
		t.Errorf("lint: %d\n%s", status, out)
	}
	if out, status := run("RUBRIC_PATHS=evals/support.eval.yaml", "RUBRIC_RUN=none/*.yaml"); status != 2 || !strings.Contains(out, "::error::no file matches none/*.yaml") {
		t.Errorf("no file: %d\n%s", status, out)
	}
}

func TestActionInstall(t *testing.T) {
	root := root(t, "bash", "curl", "tar")
	if runtime.GOOS != "linux" {
		t.Skip("needs Linux")
	}
	temp, releases := t.TempDir(), t.TempDir()
	archive := fmt.Sprintf("rubric_1.2.3_linux_%s.tar.gz", runtime.GOARCH)
	folder := filepath.Join(releases, "download", "v1.2.3")
	write(t, filepath.Join(folder, archive), "")
	file, err := os.Create(filepath.Join(folder, archive))
	if err != nil {
		t.Fatal(err)
	}
	packed := gzip.NewWriter(file)
	w := tar.NewWriter(packed)
	const program = "#!/bin/sh\necho this is rubric $1\n"
	if err := w.WriteHeader(&tar.Header{Name: "rubric", Mode: 0o755, Size: int64(len(program))}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(program)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Close(), packed.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	install := func(checksum string) (string, int) {
		t.Helper()
		write(t, filepath.Join(folder, "checksums.txt"), checksum+"  "+archive+"\n")
		return bash(t, temp, []string{"RUBRIC_RELEASES=file://" + releases, "RUBRIC_VERSION=v1.2.3", "RUNNER_TEMP=" + temp, "GITHUB_PATH=" + filepath.Join(temp, "path")},
			filepath.Join(root, ".ci/action/install.sh"))
	}
	if out, status := install(strings.Repeat("0", 64)); status != 1 || !strings.Contains(out, "::error::the checksum of "+archive+" is wrong") {
		t.Errorf("another checksum: %d\n%s", status, out)
	}
	if _, err := os.Stat(filepath.Join(temp, "path")); err == nil {
		t.Error("a program with another checksum is on the path")
	}
	sum := sha256.Sum256([]byte(read(t, filepath.Join(folder, archive))))
	if out, status := install(fmt.Sprintf("%x", sum)); status != 0 || out != "this is rubric version\n" {
		t.Errorf("%d\n%s", status, out)
	}
	if got := read(t, filepath.Join(temp, "path")); got != filepath.Join(temp, "rubric-1.2.3")+"\n" {
		t.Errorf("the path is %s", got)
	}
}

// TestActionInputs: the script reads what action.yml passes to it.
func TestActionInputs(t *testing.T) {
	root := root(t)
	script := read(t, filepath.Join(root, ".ci/action/run.sh")) + read(t, filepath.Join(root, ".ci/action/install.sh"))
	action := read(t, filepath.Join(root, "action.yml"))
	passed := regexp.MustCompile(`(RUBRIC_[A-Z_]+): \$\{\{ inputs\.([a-z-]+) \}\}`).FindAllStringSubmatch(action, -1)
	if len(passed) == 0 {
		t.Fatal("action.yml passes nothing")
	}
	if n := strings.Count(action, "${{ github.job }}"); n == 0 || n != strings.Count(action, "${{ github.job }}-${{ strategy.job-index }}") {
		t.Error("a name in action.yml is the same for all jobs of a matrix")
	}
	for _, p := range passed {
		if !strings.Contains(script, "${"+p[1]) {
			t.Errorf("no script reads %s, the input %s", p[1], p[2])
		}
	}
}

// TestConfigurations: what forges and package managers read is YAML.
func TestConfigurations(t *testing.T) {
	root := root(t)
	workflows, err := filepath.Glob(filepath.Join(root, ".github/workflows/*.yml"))
	if err != nil || len(workflows) == 0 {
		t.Fatal(workflows, err)
	}
	for _, file := range append(workflows, filepath.Join(root, "action.yml"), filepath.Join(root, ".goreleaser.yaml"), filepath.Join(root, ".github/dependabot.yml")) {
		var config map[string]any
		if err := yaml.Unmarshal([]byte(read(t, file)), &config); err != nil || len(config) < 2 {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// TestGitLab and TestJenkins run the commands of the examples.
func TestGitLab(t *testing.T) {
	root := root(t, "bash")
	var config map[string]struct{ Script []string }
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(root, "docs/ci/gitlab.yml"))), &config); err != nil {
		t.Fatal(err)
	}
	dir := project(t, root)
	script := strings.Join(config["rubric"].Script, "\n")
	for _, branch := range []string{"main", "change"} {
		out, status := bash(t, dir, []string{"CI_COMMIT_BRANCH=" + branch, "CI_DEFAULT_BRANCH=main"}, "-ec", "mkdir -p .cache/rubric\n"+script)
		if status != 0 || strings.Contains(out, "mean difference") != (branch == "change") {
			t.Errorf("%s: %d\n%s", branch, status, out)
		}
	}
	write(t, filepath.Join(dir, "targets.yaml"), "targets: [{ name: t, provider: mock, response: Hello }]")
	failing := strings.Replace(script, "rubric run", "rubric run --target t", 1)
	if out, status := bash(t, dir, nil, "-ec", failing); status != 1 || !strings.Contains(out, "mean difference") {
		t.Errorf("cases fail: %d\n%s", status, out)
	}
}

func TestJenkins(t *testing.T) {
	root := root(t, "bash")
	dir := project(t, root)
	steps := regexp.MustCompile(`sh '([^']*)'`).FindAllStringSubmatch(read(t, filepath.Join(root, "docs/ci/Jenkinsfile")), -1)
	if len(steps) < 3 {
		t.Fatalf("%d steps", len(steps))
	}
	for _, step := range steps {
		if out, status := bash(t, dir, nil, "-ec", step[1]); status != 0 {
			t.Errorf("%s: %d\n%s", step[1], status, out)
		}
	}
	if read(t, filepath.Join(dir, "junit.xml")) == "" {
		t.Error("junit.xml is empty")
	}
}

// TestPreCommit runs the hook as pre-commit does: with the files of the commit that it is for.
func TestPreCommit(t *testing.T) {
	root := root(t, "bash")
	var hooks []struct{ Entry, Files string }
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(root, ".pre-commit-hooks.yaml"))), &hooks); err != nil || len(hooks) != 1 {
		t.Fatal(hooks, err)
	}
	var files []string
	for _, file := range []string{"README.md", "testdata/readme/refund.eval.yaml", "testdata/quickstart/banking/banking.evalset.json", "targets.yaml.md", "values.yaml",
		"testdata/corpus/faulty/promptfoo/promptfooconfig.yaml", "testdata/corpus/agentv-seed/.agentv/config.yaml", "testdata/corpus/agentv-seed/triage.labels.yaml"} {
		if regexp.MustCompile(hooks[0].Files).MatchString(file) {
			files = append(files, file)
		}
	}
	if slices.ContainsFunc(files, func(file string) bool { return !strings.HasPrefix(file, "testdata/") }) || len(files) != 5 {
		t.Errorf("the hook is for %q", files)
	}
	if out, status := bash(t, root, nil, "-c", hooks[0].Entry+" "+strings.Join(files, " ")); status != 1 || !strings.Contains(out, "[unknown-key]") {
		t.Errorf("%d\n%s", status, out)
	}
}

// TestProblemMatcher: the matcher finds each diagnostic of `rubric check`.
func TestProblemMatcher(t *testing.T) {
	root := root(t, "bash")
	var matcher struct {
		ProblemMatcher []struct{ Pattern []struct{ Regexp string } }
	}
	if err := json.Unmarshal([]byte(read(t, filepath.Join(root, ".github/rubric-matcher.json"))), &matcher); err != nil {
		t.Fatal(err)
	}
	pattern := regexp.MustCompile("(?m)" + matcher.ProblemMatcher[0].Pattern[0].Regexp)
	text, _ := bash(t, root, nil, "-c", "rubric check testdata/readme")
	annotations, _ := bash(t, root, nil, "-c", "rubric check --format github testdata/readme")
	found := pattern.FindAllStringSubmatch(text, -1)
	if want := strings.Count(annotations, "file="); len(found) != want || want == 0 {
		t.Errorf("%d of %d diagnostics:\n%s", len(found), want, text)
	}
	if first := found[0]; first[1] != "testdata/readme/refund.eval.yaml" || first[2] != "8" || first[3] != "9" || first[4] != "error" || first[6] != "unknown-key" {
		t.Errorf("%q", first)
	}
}
