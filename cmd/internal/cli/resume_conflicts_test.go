package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestResumeLosesNothing: a run goes on where there are results of its own, and
// none of what is there is lost: those that do not fit it any longer are set aside,
// and others' are not touched.
func TestResumeLosesNothing(t *testing.T) {
	other := strings.NewReplacer("id: a", "id: k", "id: b", "id: l", "id: c", "id: m").Replace(three)
	lines := strings.SplitAfter(three, "\n")
	const refused = "which would be lost; run all of these files together, or write to another --out"
	for _, c := range []struct {
		name    string
		change  map[string]string // of the files; "" takes one away
		args    string
		code    int
		results string // ids, after it
		aside   string // ids that are set aside
		want    string // on standard error
	}{
		{"as it was", nil, "x.eval.yaml", 0, "abc", "", "rubric: 3 of 3 results reused from an earlier run\n"},
		{"another file", nil, "y.eval.yaml", 2, "abc", "", "r.jsonl holds 3 results of `DIR/x.eval.yaml`, " + refused},
		{"another file of the same name", map[string]string{"d/x.eval.yaml": other}, "d/x.eval.yaml", 2, "abc", "", refused},
		{"another file beside it", nil, "x.eval.yaml y.eval.yaml", 0, "abcklm", "", "rubric: 3 of 6 results reused"},
		{"some cases", nil, "x.eval.yaml --case a", 2, "abc", "", "r.jsonl holds 2 results of cases that --case leaves out"},
		{"another name of the file", map[string]string{"x.eval.yaml": "", "z.eval.yaml": three}, "z.eval.yaml", 2, "abc", "", refused},
		{"another place of the file", map[string]string{"x.eval.yaml": "", "d/x.eval.yaml": lines[0] + lines[1] + lines[2]}, "d/x.eval.yaml", 0, "ab", "c", "1 earlier result,"},
		{"a copy of the file", map[string]string{"d/x.eval.yaml": three}, "d/x.eval.yaml", 0, "abc", "", "rubric: 3 of 3 results reused"},
		{"a case fewer", map[string]string{"x.eval.yaml": lines[0] + lines[1] + lines[3]}, "x.eval.yaml", 0, "ac", "b",
			"rubric: set aside in DIR/r.jsonl.earlier: 1 earlier result, because the cases are gone"},
		{"a case that has changed", map[string]string{"x.eval.yaml": strings.Replace(three, "Mentions", "Contains", 1)}, "x.eval.yaml", 0, "abc", "a", "1 earlier result,"},
		{"a case with another name", map[string]string{"x.eval.yaml": strings.Replace(three, "id: a", "id: z", 1)}, "x.eval.yaml", 0, "zbc", "a", "1 earlier result,"},
		{"another target", nil, "x.eval.yaml --target mock:No.", 1, "abc", "abc", "rubric: set aside in DIR/r.jsonl.earlier: 3 earlier results,"},
		{"all results at once", nil, "x.eval.yaml --target mock:No. --format json", 1, "abc", "abc", "3 earlier results,"},
	} {
		for _, interrupted := range []bool{false, true} {
			t.Run(c.name, func(t *testing.T) {
				dir := write(t, map[string]string{"x.eval.yaml": three, "y.eval.yaml": other, "d/keep": ""})
				at := func(name string) string { return filepath.Join(dir, name) }
				run := func(args string, more ...string) (int, string) {
					args = "run --out r.jsonl " + args
					all := append(strings.Fields(args), more...)
					for i, arg := range all {
						if strings.HasSuffix(arg, ".yaml") || strings.HasSuffix(arg, ".jsonl") {
							all[i] = at(arg)
						}
					}
					code, _, stderr := rubric(t, "", all...)
					return code, filepath.ToSlash(stderr)
				}
				if code, printed := run("x.eval.yaml"); code != 0 || printed != "" {
					t.Fatal(code, printed)
				}
				results := at("r.jsonl")
				if interrupted {
					results += ".partial"
					if err := os.Rename(at("r.jsonl"), results); err != nil {
						t.Fatal(err)
					}
				}
				before := readFile(t, results)
				for name, text := range c.change {
					if text == "" {
						os.Remove(at(name))
					} else if err := os.WriteFile(at(name), []byte(text), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				code, printed := run(c.args, "--resume")
				if code != c.code || !strings.Contains(printed, strings.ReplaceAll(c.want, "DIR", filepath.ToSlash(dir))) || strings.Contains(printed, "set aside") != (c.aside != "") {
					t.Errorf("%d\n%s", code, printed)
				}
				if code != 2 {
					results = at("r.jsonl")
				} else if readFile(t, results) != before {
					t.Error("refused, and written all the same")
				}
				if _, err := os.Stat(at("r.jsonl.partial")); err == nil && results == at("r.jsonl") {
					t.Error("a journal is left behind")
				}
				if got := readIDs(t, results); got != c.results {
					t.Errorf("the results are of %s", got)
				}
				if got := readIDs(t, at("r.jsonl.earlier")); got != c.aside {
					t.Errorf("set aside are those of %s", got)
				}
				if c.aside != "" && !strings.Contains(before, readFile(t, at("r.jsonl.earlier"))[:100]) {
					t.Error("what is set aside is another result")
				}
			})
		}
	}
}

// TestSetAsideStays when more is.
func TestSetAsideStays(t *testing.T) {
	dir := write(t, map[string]string{"x.eval.yaml": three})
	out := filepath.Join(dir, "r.jsonl")
	for i, want := range []string{"", "abc", "abcabc", "abcabc"} {
		target := []string{"self", "mock:No.", "self", "self"}[i]
		if code, _, stderr := rubric(t, "", "run", filepath.Join(dir, "x.eval.yaml"), "--out", out, "--resume", "--target", target); code > 1 {
			t.Fatal(stderr)
		}
		if got := readIDs(t, out+".earlier"); got != want {
			t.Errorf("run %d: set aside are those of %s", i, got)
		}
	}
}

var evalID = regexp.MustCompile(`(?m)^.*?"eval_id":"(.*?)"`)

// readIDs are the ids of the cases in a file of results, "" if it is not there.
func readIDs(t *testing.T, path string) (ids string) {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	for _, found := range evalID.FindAllStringSubmatch(readFile(t, path), -1) {
		ids += found[1]
	}
	return ids
}

// TestFilesAlike: of files by one name and with the same cases each has results of its own,
// however much of them there is when a run goes on.
func TestFilesAlike(t *testing.T) {
	dir := write(t, map[string]string{"en/x.eval.yaml": three, "us/x.eval.yaml": three})
	t.Chdir(dir)
	line := []string{"run", "en/x.eval.yaml", "us/x.eval.yaml", "--workers", "1", "--target", "cli:echo {EVAL_ID} >> asked; wc -l < asked", "--out", "r.jsonl"}
	if code, _, stderr := rubric(t, "", line...); code > 1 {
		t.Fatal(code, stderr)
	}
	whole := readFile(t, "r.jsonl")
	for _, keep := range []int{6, 4, 3, 0} {
		lines := strings.SplitAfter(whole, "\n")
		if err := os.WriteFile("r.jsonl", []byte(strings.Join(lines[:keep], "")), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("asked", []byte(strings.Repeat("\n", keep)), 0o644); err != nil {
			t.Fatal(err)
		}
		code, _, stderr := rubric(t, "", append(line, "--resume")...)
		if got := readFile(t, "r.jsonl"); code > 1 || got != whole {
			t.Errorf("%d, of %d results:\n%s%s", code, keep, stderr, got)
		}
	}
}
