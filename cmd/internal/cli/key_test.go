package cli_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

// TestKeyNotAccepted checks that a rejected key is reported with its source, and never
// printed.
func TestKeyNotAccepted(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		io.WriteString(w, `{"error":{"message":"no such key: `+r.Header.Get("Authorization")+`"}}`)
	}))
	defer site.Close()
	useTempCache(t)
	const ofFile, ofProcess, ofTarget = "kf-1234567890", "kp-1234567890", "kt-1234567890"
	at := "base_url: '" + site.URL + "'"
	dir := write(t, map[string]string{
		".git/HEAD": "", "x.eval.yaml": good, ".env": "FILE_KEY=" + ofFile + "\n",
		"targets.yaml": "targets:\n" +
			"  - { name: file, provider: openai, model: m, " + at + ", api_key: '${{ FILE_KEY }}' }\n" +
			"  - { name: process, provider: openai, model: m, " + at + ", api_key: '${{ PROCESS_KEY }}' }\n" +
			"  - { name: usual, provider: openai, model: m }\n" +
			"  - { name: written, provider: openai, model: m, " + at + ", api_key: " + ofTarget + " }\n" +
			"  - { name: none, provider: openai, model: m, " + at + " }\n" +
			"  - { name: header, provider: openai, model: m, " + at + ", headers: { Authorization: 'Bearer ${{ PROCESS_KEY }}' } }\n" +
			"  - { name: instead, provider: openai, model: m, headers: { authorization: 'Bearer ${{ PROCESS_KEY }}' } }\n" +
			"  - { name: beside, provider: openai, model: m, headers: { X-Team: evals } }\n" +
			"  - { name: query, provider: openai, model: m, base_url: '" + site.URL + "/v1?key=${{ PROCESS_KEY }}' }\n",
	})
	t.Setenv("PROCESS_KEY", ofProcess)
	t.Setenv("OPENAI_BASE_URL", site.URL)
	for _, c := range []struct{ judge, key, want string }{
		{"openai:m", ofProcess, "openai:m: the key from `OPENAI_API_KEY` of the environment was not accepted (status 401)"},
		{"openai:m", "", "openai:m: a request without a key, because none is set as OPENAI_API_KEY, was not accepted (status 401)"},
		{"usual", ofProcess, "the key from `OPENAI_API_KEY` of the environment was not accepted"},
		{"file", ofProcess, "the key from `FILE_KEY` of " + filepath.Join(dir, ".env") + " was not accepted"},
		{"process", "", "the key from `PROCESS_KEY` of the environment was not accepted"},
		{"written", ofProcess, "the key from its target's `api_key` was not accepted"},
		{"none", ofProcess, "a request without a key, because its target sets no `api_key`, was not accepted"},
		{"instead", ofProcess, "openai:m: the key was not accepted (status 401)"},
		{"beside", ofProcess, "the key from `OPENAI_API_KEY` of the environment was not accepted"},
		{"query", ofProcess, "openai:m: the key was not accepted (status 401)"},
		{"header", ofProcess, "openai:m: the key was not accepted (status 401)"},
	} {
		t.Setenv("OPENAI_API_KEY", c.key)
		out := filepath.Join(t.TempDir(), "r")
		code, stdout, stderr := rubric(t, "", "run", filepath.Join(dir, "x.eval.yaml"), "--judge", c.judge, "--out", out+".jsonl", "--out", out+".html", "--out", out+".xml", "--out", out+".json")
		if code != 3 || !strings.Contains(stdout, c.want) {
			t.Errorf("%s: %d, no %q in\n%s%s", c.judge, code, c.want, stdout, stderr)
		}
		all := stdout + stderr + readFile(t, out+".jsonl") + readFile(t, out+".html") + readFile(t, out+".xml") + readFile(t, out+".json")
		for _, key := range []string{ofFile, ofProcess, ofTarget} {
			if strings.Contains(all, key[:5]) {
				t.Errorf("%s: the beginning of %s is told", c.judge, key)
			}
		}
	}
}
