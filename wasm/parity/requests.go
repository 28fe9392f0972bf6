// Package parity generates requests to compare native code with WebAssembly. It makes them from the
// rules' examples, the files in testdata, and the corpus next to the repository.
package parity

import (
	"encoding/json"
	"errors"
	"hash/fnv"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/ide/requests"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
)

// Requests returns evaluator requests, one JSON object each, to run in order. Native code and
// WebAssembly must answer with the same bytes. The requests cover the rules' examples, the files in
// testdata, and, if present, the corpus next to the repository.
func Requests(root string) ([][]byte, error) {
	c := &collector{seen: map[string]bool{}}
	for _, method := range []string{"version", "capabilities", "rules"} {
		c.add(method, nil)
	}
	for _, doc := range dialect.Schemas() {
		c.add("schema", map[string]any{"name": doc.Name})
	}
	for _, r := range lint.All() {
		c.add("explain", map[string]any{"rule": r.ID})
		for _, example := range []string{r.Bad, r.Good} {
			c.addFile("", example)
			body, _ := lint.ParseMarkers(example)
			c.addFile("", body)
		}
		body, marks := lint.ParseMarkers(r.Bad)
		c.addEditor(analysis.RuleExample(r, "").Path, body, marks)
	}
	if err := c.addFolder(filepath.Join(root, "testdata")); err != nil {
		return nil, err
	}
	if err := c.addFolder(filepath.Join(root, "..", "shared", "corpus")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return c.requests, nil
}

// SampleSize is the n of Sample that tests use; all requests take minutes.
const SampleSize = 4

// Sample returns the requests about one in n texts, chosen by the texts' hashes, and all requests
// that are not about a text. An editor's requests about one document stay together.
func Sample(requests [][]byte, n uint32) (some [][]byte, err error) {
	chosen := false
	for _, request := range requests {
		var r struct {
			Params struct{ Text, Document, Method *string }
		}
		if err := json.Unmarshal(request, &r); err != nil {
			return nil, err
		}
		if r.Params.Text != nil {
			hash := fnv.New32a()
			hash.Write([]byte(*r.Params.Text))
			chosen = hash.Sum32()%n == 0
		}
		if chosen || r.Params.Text == nil && r.Params.Document == nil && r.Params.Method == nil {
			some = append(some, request)
		}
	}
	return some, nil
}

// addFolder adds requests about all files in a folder, at any depth: every request, but about the
// many files of a corpus those of addText, and an editor's about some of the repository's own.
func (c *collector) addFolder(dir string) error {
	const editorEvery = 6
	files := 0
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if filepath.Base(filepath.Dir(path)) == "conformance" && filepath.Ext(path) == ".json" {
			return c.addConformance(body)
		}
		name := filepath.Base(path)
		switch slashed := filepath.ToSlash(path); {
		case !strings.Contains(slashed, "/corpus/"):
			c.addFile(name, string(body))
			c.addEditor(name, string(body), nil)
		case !strings.Contains(slashed, "/testdata/"):
			c.addText(name, string(body))
		default:
			c.addText(name, string(body))
			if files++; files%editorEvery == 0 {
				c.addEditor(name, string(body), nil)
			}
		}
		return nil
	})
}

// collector collects distinct requests.
type collector struct {
	requests [][]byte
	seen     map[string]bool
}

func (c *collector) add(method string, params map[string]any) {
	request, err := json.Marshal(map[string]any{"id": len(c.requests), "method": method, "params": params})
	if err != nil {
		panic(err) // strings and maps of them always encode
	}
	c.requests = append(c.requests, request)
}

// addFile adds the requests that need only a text.
func (c *collector) addFile(path, text string) {
	if !c.isNew(path, text) {
		return
	}
	c.add("check", map[string]any{"text": text, "path": path})
	for i := range questions {
		c.addQuestion(i, path, text)
	}
}

// addText adds a check request and, in turn, one of the other requests: to ask all of
// them about thousands of similar texts finds nothing further.
func (c *collector) addText(path, text string) {
	if c.isNew(path, text) {
		c.add("check", map[string]any{"text": text, "path": path})
		c.addQuestion(len(c.seen)%len(questions), path, text)
	}
}

// isNew reports whether a text is asked about for the first time.
func (c *collector) isNew(path, text string) bool {
	known := c.seen[path+"\x00"+text]
	c.seen[path+"\x00"+text] = true
	return !known
}

// questions are the methods that take a text and read its cases.
var questions = []string{"suite", "cases", "prompt", "score", "plan"}

func (c *collector) addQuestion(i int, path, text string) {
	params := map[string]any{"text": text, "path": path}
	if questions[i] == "score" {
		params["reply"] = `{"score": 0.7, "hits": [], "misses": []}`
	}
	c.add(questions[i], params)
}

// addMetrics adds requests for every metric that needs only an answer and an expected answer, as in
// ADK's evalsets.
func (c *collector) addMetrics(candidate, reference string) {
	turns := func(answer string) []any {
		content := func(text string) any { return map[string]any{"parts": []any{map[string]any{"text": text}}} }
		return []any{map[string]any{"user_content": content("q"), "final_response": content(answer)}}
	}
	for _, name := range []string{"response_match_score", "final_response_match_v2", "safety_v1", "hallucinations_v1"} {
		for _, profile := range []string{"latest", "2.0"} {
			c.add("metric", map[string]any{"name": name, "criterion": 0.5, "offline": true, "profile": profile,
				"actual": turns(candidate), "expected": turns(reference)})
		}
	}
}

// addConformance adds requests about each input: as a file, as the files that it contains, and,
// where it has a reply or two answers, as scores in each profile.
func (c *collector) addConformance(body []byte) error {
	var pairs []struct{ Input any }
	if err := json.Unmarshal(body, &pairs); err != nil {
		return err
	}
	for _, pair := range pairs {
		whole, err := json.Marshal(pair.Input)
		if err != nil {
			return err
		}
		c.addText("", string(whole))
		c.addTexts(pair.Input)
	}
	return nil
}

// addTexts adds requests about every text in a value that may be a file, and scores replies.
func (c *collector) addTexts(value any) {
	switch v := value.(type) {
	case string:
		if strings.ContainsAny(v, "\n:{[") {
			c.addText("", v)
		}
	case []any:
		for _, item := range v {
			c.addTexts(item)
		}
	case map[string]any:
		if v["rubrics"] != nil && v["judge_response"] != nil {
			for _, profile := range []string{"spec", "agentv", "agentv-4", "agentv-head"} {
				c.add("score", map[string]any{"rubrics": v["rubrics"], "reply": v["judge_response"], "profile": profile})
			}
		}
		candidate, answered := v["candidate"].(string)
		if reference, compared := v["reference"].(string); answered && compared {
			c.addMetrics(candidate, reference)
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			c.addTexts(v[key])
		}
	}
}

// addEditor adds an editor's requests about a document: at marks, in the middle, and again after a
// keystroke there.
func (c *collector) addEditor(path, body string, marks [][2]int) {
	src := text.New("", body)
	ask := func(method string, more map[string]any) {
		params := map[string]any{"document": path}
		for key, value := range more {
			params[key] = value
		}
		c.add(method, params)
	}
	ask("open", map[string]any{"text": body, "version": 1})
	for _, method := range []string{"diagnose", "symbols", "fold", "inlay", "lens", "links", "semantic", "format"} {
		ask(method, nil)
	}
	ask("actions", map[string]any{"only": []string{""}})
	places := []int{len(body) / 2}
	for _, m := range marks {
		places = append(places, m[0])
	}
	for i, offset := range places {
		at := src.OffsetPosition(offset, text.UTF16)
		if i == 0 {
			for _, method := range []string{"hover", "complete", "highlight", "linked", "definition", "references", "renameable", "enter"} {
				ask(method, map[string]any{"position": at})
			}
			ask("rename", map[string]any{"position": at, "newName": "other"})
			ask("selection", map[string]any{"positions": []any{at}})
			ask("actions", map[string]any{"range": text.Range{Start: at, End: at}})
		}
		for _, r := range requests.Routes() { // each takes what it needs
			c.add("lsp", map[string]any{"method": r.Method, "params": map[string]any{
				"textDocument": map[string]any{"uri": path}, "position": at, "positions": []any{at}, "range": text.Range{Start: at, End: at},
				"newName": "other", "ch": "\n", "context": map[string]any{"includeDeclaration": true},
			}})
		}
		ask("edit", map[string]any{"version": 2, "changes": []any{map[string]any{"range": text.Range{Start: at, End: at}, "text": "x: é"}}})
		ask("diagnose", nil)
	}
	ask("forget", nil)
}
