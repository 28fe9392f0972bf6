//go:build unix

package cli_test

import (
	"bufio"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const hostile = `<script>alert(1)</script>`

// viewed is a folder of results: two runs of six cases with a criterion and a tag, of which the second is
// worse, a run of two targets, a file that cannot be read, and texts that could be markup.
func viewed(t *testing.T) string {
	line := func(id, verdict, score, satisfied, more string) string {
		return `{"eval_id":"` + id + `","dataset":"d","score":` + score + `,"verdict":"` + verdict + `","tags":["fast","` + hostile + `"],"question":"` + hostile + `",` +
			`"candidate_answer":"\"><img src=x onerror=alert(1)>","reasons":["` + hostile + `"],"judge":"j"` + more +
			`,"evaluator_results":[{"name":"rubric","type":"llm_judge","weight":1,"score":` + score + `,"verdict":"` + verdict +
			`","criteria":[{"id":"tone","expected_outcome":"Is polite","weight":1}],"grades":[{"id":"tone","satisfied":` + satisfied + `,"weight":1,"reasoning":"` + hostile + `"}]}]}` + "\n"
	}
	var good, bad string
	for _, id := range []string{"a", "b", "c", "d", "e", hostile} {
		good += line(id, "pass", "1", "true", "")
		bad += line(id, "fail", "0.2", "false", "")
	}
	return write(t, map[string]string{
		"good.jsonl": good, "later.jsonl": bad, "cut.jsonl": good + "{\n{\n",
		"two.jsonl":  line("a", "pass", "1", "true", `,"target":"x"`) + line("a", "fail", "0", "false", `,"target":"y"`),
		"secret.txt": "secret",
	})
}

// startView starts the program, and returns the address that it prints.
func startView(t *testing.T, folder string) string {
	t.Helper()
	cmd := exec.Command(buildBinary(t), "view", ".", "--addr", "127.0.0.1:0")
	cmd.Dir = folder
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = cmd.Process.Kill(), cmd.Wait() })
	line, err := bufio.NewReader(stdout).ReadString('\n')
	address, unreadable := url.Parse(strings.TrimSpace(line))
	if err != nil || unreadable != nil || len(strings.Trim(address.Path, "/")) < 26 {
		t.Fatalf("it prints %q", line)
	}
	return address.String()
}

// askView sends a request, and returns the response with its body. host may be "".
func askView(t *testing.T, method, address, host string) (*http.Response, string) {
	t.Helper()
	in, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	in.Host = host
	out, err := http.DefaultTransport.RoundTrip(in)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Body.Close()
	body, err := io.ReadAll(out.Body)
	if err != nil {
		t.Fatal(err)
	}
	return out, string(body)
}

// TestView reads each page of stored results: only with the token, only what is listed, and with every
// text as text.
func TestView(t *testing.T) {
	folder := viewed(t)
	at := startView(t, folder)
	root := at[:strings.LastIndex(strings.TrimSuffix(at, "/"), "/")]
	for path, want := range map[string]int{
		at: 200, root + "/": 404, root + "/wrong/": 404, root + "/wrong/case.json?run=good.jsonl": 404, root + "/version": 404, root + "/lsp": 401, strings.TrimSuffix(at, "/"): 200,
		at + "none": 404, at + "run": 404, at + "run?run=secret.txt": 404, at + "run?run=../good.jsonl": 404, at + "run?run=" + url.QueryEscape(filepath.Join(folder, "secret.txt")): 404,
		at + "..%2f..%2fsecret.txt": 404, at + "compare?run=good.jsonl": 404, at + "run?run=cut.jsonl": 404,
	} {
		if out, body := askView(t, "GET", path, ""); out.StatusCode != want || strings.Contains(body, "secret\n") {
			t.Errorf("%s: %d, not %d: %.200s", path, out.StatusCode, want, body)
		}
	}
	if out, _ := askView(t, "GET", at, "evil.example"); out.StatusCode != 403 {
		t.Errorf("as another host: %d", out.StatusCode)
	}
	if out, _ := askView(t, "POST", at, ""); out.StatusCode != 405 {
		t.Errorf("POST: %d", out.StatusCode)
	}
	for path, texts := range map[string][]string{
		"": {"6 of 6 (61–100 %)", "0 of 6 (0–39 %)", "two.jsonl · x</a>", "two.jsonl · y</a>", "cut.jsonl: read results: line 7: it is not JSON", "pass rate of tag fast", "mean of tone", `<span class="num">1 of 1</span>`,
			`<td class="num">100 %</td>`, `value="good.jsonl"`},
		"run?run=good.jsonl":                          {"6 of 6 passed", `<p class="eyebrow run">good.jsonl, `, "Judged answer", "Is polite", ">Runs</a>"},
		"run?run=" + url.QueryEscape("two.jsonl · y"): {"0 of 1 passed"},
		"compare?run=later.jsonl&run=good.jsonl": {"later.jsonl against good.jsonl", "0 won, 6 lost, 0 tied of 6", "95 % interval -0.8 to -0.8", "<td>lost</td>",
			"Grades that differ", "The difference is beyond chance.", `<th scope="row">tone</th><td>0</td><td>6</td><td>0</td><td>0</td><td>-1 to -1</td>`},
	} {
		for _, asFile := range []bool{false, true} {
			address := at + path
			if asFile {
				address = strings.TrimSuffix(address+"&file", "?") // a page without a query has none
				if path == "" {
					address = at + "?file"
				}
			}
			out, body := askView(t, "GET", address, "")
			for _, text := range texts {
				if !strings.Contains(body, text) && !(asFile && (text == ">Runs</a>" || strings.HasSuffix(text, "</a>") || strings.HasPrefix(text, "value="))) {
					t.Errorf("%s lacks %q", address, text)
				}
			}
			if strings.Contains(body, hostile) || strings.Contains(body, "<img src=x") {
				t.Errorf("%s has markup of a text", address)
			}
			isFile := strings.HasPrefix(out.Header.Get("Content-Disposition"), "attachment")
			if isFile != asFile || strings.Contains(body, "location.reload") == asFile || strings.Contains(body, `href="run`) && asFile {
				t.Errorf("%s: a file %v, reloads %v", address, isFile, strings.Contains(body, "location.reload"))
			}
			if out.Header.Get("X-Content-Type-Options") != "nosniff" || out.Header.Get("Cache-Control") != "no-store" || !strings.Contains(out.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
				t.Errorf("%s: %v", address, out.Header)
			}
		}
	}
}

// TestViewWithoutPage: a program without the playground says what to install.
func TestViewWithoutPage(t *testing.T) {
	at := startView(t, viewed(t))
	_, body := askView(t, "GET", at+"run?run=good.jsonl", "")
	if !strings.Contains(body, `href="open?case=a&amp;eval=&amp;run=good.jsonl"`) {
		t.Error("no case can be opened")
	}
	for _, path := range []string{"open", "open?case=a&eval=&run=good.jsonl", "case.json?case=a&eval=&run=good.jsonl"} {
		if out, body := askView(t, "GET", at+path, ""); out.StatusCode != 404 || !strings.Contains(body, "was built without its playground") {
			t.Errorf("%s: %d %s", path, out.StatusCode, body)
		}
	}
}

// TestViewLinks: each result of a comparison leads to its case in the page of its run.
func TestViewLinks(t *testing.T) {
	at := startView(t, write(t, map[string]string{
		"a.jsonl": `{"dataset":"d","eval_id":"a b/c","score":1}` + "\n",
		"b.jsonl": `{"dataset":"d","eval_id":"a b/c","score":0}` + "\n",
	}))
	_, compared := askView(t, "GET", at+"compare?run=a.jsonl&run=b.jsonl", "")
	for _, run := range []string{"run?run=a.jsonl", "run?run=b.jsonl"} {
		const anchor = "case-d/a%20b%2Fc"
		_, page := askView(t, "GET", at+run, "")
		if !strings.Contains(compared, `href="`+run+"#"+anchor+`"`) || strings.Count(page, `id="`+anchor+`"`) != 1 {
			t.Errorf("no link to %s in\n%s", run, compared)
		}
	}
}

// TestViewChanges: the version changes with a file, and the page has its new results.
func TestViewChanges(t *testing.T) {
	folder := write(t, map[string]string{"a.jsonl": `{"eval_id":"a","score":1}` + "\n"})
	at := startView(t, folder)
	_, before := askView(t, "GET", at+"version", "")
	if _, same := askView(t, "GET", at+"version", ""); same != before || before == "" {
		t.Errorf("versions %q and %q", before, same)
	}
	if err := os.WriteFile(filepath.Join(folder, "b.jsonl"), []byte(`{"eval_id":"a","score":0}`+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, after := askView(t, "GET", at+"version", "")
	_, page := askView(t, "GET", at, "")
	if after == before || !strings.Contains(page, `data-version="`+after+`"`) || !strings.Contains(page, "b.jsonl") {
		t.Errorf("version %q after %q, in\n%s", after, before, page)
	}
}
