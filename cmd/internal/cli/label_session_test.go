package cli_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A labelServer is a running `rubric label`.
type labelServer struct {
	t       *testing.T
	cmd     *exec.Cmd
	address string
}

func startLabels(t *testing.T, args ...string) *labelServer {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{"label"}, args...)...)
	cmd.Env = append(os.Environ(), queueProgram+"=1s")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := &labelServer{t: t, cmd: cmd}
	t.Cleanup(s.kill)
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	s.address = strings.TrimSpace(line)
	return s
}

func (s *labelServer) kill() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}

var itemField = regexp.MustCompile(`name="item" value="(\w+)"`)

// page returns a page's text and the item that it asks about, or "".
func (s *labelServer) page(query string) (text, item string) {
	s.t.Helper()
	return s.answer(http.Get(s.address + query))
}

func (s *labelServer) post(item, grade, note string) (text, next string) {
	s.t.Helper()
	return s.answer(http.PostForm(s.address, url.Values{"item": {item}, "grade": {grade}, "note": {note}}))
}

func (s *labelServer) answer(resp *http.Response, err error) (text, item string) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != 200 {
		s.t.Fatalf("%v %s: %s", err, resp.Status, body)
	}
	if m := itemField.FindStringSubmatch(string(body)); m != nil {
		item = m[1]
	}
	return string(body), item
}

// labelledRun is a run of n cases with one criterion, of which the judge grades half as satisfied.
func labelledRun(t *testing.T, n int) (file, results string) {
	t.Helper()
	var cases, answers strings.Builder
	cases.WriteString("evalcases:\n")
	for i := range n {
		fmt.Fprintf(&cases, "  - { id: c%d, expected_outcome: O, input: \"<Q%d>\", tags: [t%d], rubrics: [{ id: hello, expected_outcome: Mentions “Hello” }] }\n", i, i, i%3)
		fmt.Fprintf(&answers, "{\"eval_id\":\"c%d\",\"answer\":%q}\n", i, []string{"Hello <b>you</b>", "Hi"}[i%2])
	}
	dir := write(t, map[string]string{"x.eval.yaml": cases.String(), "answers.jsonl": answers.String()})
	file, results = filepath.Join(dir, "x.eval.yaml"), filepath.Join(dir, "r.jsonl")
	if code, _, stderr := rubric(t, "", "run", file, "--target", filepath.Join(dir, "answers.jsonl"), "--out", results); code > 1 {
		t.Fatal(stderr)
	}
	return file, results
}

// TestLabelSession: of 100 judgements none is lost by reloads, a second tab, or the death of the server, and the
// judge's grade is shown only after the person's.
func TestLabelSession(t *testing.T) {
	const n = 100
	file, results := labelledRun(t, n)
	start := func() *labelServer { return startLabels(t, file, "--run", results, "--labeller", "Kim") }
	s := start()
	text, item := s.page("")
	for i := range n {
		if !strings.Contains(text, fmt.Sprintf("%d of %d left for Kim", n-i, n)) || strings.Contains(text, "<b>") || strings.Contains(text, "`") || strings.Contains(text, "literal check") != (i > 0) {
			t.Fatalf("judgement %d: %s", i, text)
		}
		switch {
		case i%30 == 10: // a reload asks the same
			if again, same := s.page(""); same != item || strings.Contains(again, "The judge") {
				t.Fatalf("after a reload: %s instead of %s\n%s", same, item, again)
			}
		case i%30 == 20: // the server dies, and another one continues
			s.kill()
			s = start()
			if _, same := s.page(""); same != item {
				t.Fatalf("after a restart: %s instead of %s", same, item)
			}
		case i%30 == 29: // a second tab has given another grade for the same answer
			s.post(item, "false", "")
		}
		text, item = s.post(item, "true", fmt.Sprintf("note %d: “%s”", i, "\"'{}#"))
	}
	if item != "" || !strings.Contains(text, "All is labelled") || !strings.Contains(text, `<th scope="row">hello</th><td>100</td><td>50 %</td>`) || strings.Count(text, "you said satisfied, the judge not satisfied") != n/2 {
		t.Errorf("%s", text)
	}
	if resp, err := http.Get(s.address + "../wrong/"); err != nil || resp.StatusCode != http.StatusNotFound {
		t.Errorf("with a wrong token: %v %+v", err, resp)
	}
	s.kill()
	code, stdout, stderr := rubric(t, "", "label", file, "--export", "-")
	if lines := strings.Split(strings.TrimSpace(stdout), "\n"); code != 0 || len(lines) != n+1 || strings.Contains(stdout, "false") || strings.Count(stdout, "note ") != n {
		t.Errorf("%d %s: %d lines\n%s", code, stderr, len(lines), stdout)
	}
	if code, stdout, stderr := rubric(t, "", "calibrate", file, "--run", results); code != 0 || !strings.Contains(stdout, "hello      100  50 %") || strings.Contains(stdout, "stale") {
		t.Errorf("%d\n%s%s", code, stdout, stderr)
	}
	if code, stdout, _ := rubric(t, "", "check", filepath.Dir(file)); code != 0 {
		t.Errorf("%s", stdout)
	}
}

// TestLabelDisputed: what two people disagree about waits for each of them until one follows the other.
func TestLabelDisputed(t *testing.T) {
	file, results := labelledRun(t, 3)
	label := func(who, grade string) {
		s := startLabels(t, file, "--run", results, "--labeller", who)
		defer s.kill()
		for _, item := s.page(""); item != ""; {
			_, item = s.post(item, grade, "")
		}
	}
	label("Kim", "true")
	label("Lee", "false")
	s := startLabels(t, file, "--run", results, "--labeller", "Kim", "--disputed")
	text, item := s.page("")
	if !strings.Contains(text, "3 of 3 left for Kim") || !strings.Contains(text, "Lee: not satisfied") || strings.Contains(text, "literal check") {
		t.Errorf("%s", text)
	}
	if text, _ := s.post(item, "false", ""); !strings.Contains(text, "2 of 3 left") {
		t.Errorf("%s", text)
	}
	if code, _, stderr := rubric(t, "", "label", file, "--run", results, "--labeller", "Lee"); code != 2 || !strings.Contains(stderr, "is writing it") {
		t.Errorf("a second server: %d %s", code, stderr)
	}
	s.kill()
	if code, stdout, _ := rubric(t, "", "calibrate", file, "--run", results); code != 0 || strings.Count(stdout, "people disagree") != 2 {
		t.Errorf("%d %s", code, stdout)
	}
}
