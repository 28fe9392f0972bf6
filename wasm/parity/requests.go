package parity

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/lint"
)

// Requests are the evaluator requests that both have to answer with the same
// bytes, one JSON object each, to be made in order: of the rules' examples, of the
// files below testdata in the repository's root, and of the corpus beside that,
// where there is one.
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
	for _, dir := range []string{"testdata", "../shared/corpus"} {
		if err := c.addFolder(filepath.Join(root, filepath.FromSlash(dir))); err != nil && !(dir != "testdata" && errors.Is(err, fs.ErrNotExist)) {
			return nil, err
		}
	}
	return c.requests, nil
}

// addFolder asks about all files below a folder.
func (c *collector) addFolder(dir string) error {
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
		c.addFile(filepath.Base(path), string(body))
		c.addEditor(filepath.Base(path), string(body), nil)
		return nil
	})
}

// collector gathers requests, each once.
type collector struct {
	requests [][]byte
	seen     map[string]bool
}

func (c *collector) add(method string, params map[string]any) {
	request, err := json.Marshal(map[string]any{"id": len(c.requests), "method": method, "params": params})
	if err != nil {
		panic(err) // strings and maps of them
	}
	c.requests = append(c.requests, request)
}

// addFile asks everything that can be asked of a text alone.
func (c *collector) addFile(path, text string) {
	if c.seen[path+"\x00"+text] {
		return
	}
	c.seen[path+"\x00"+text] = true
	params := map[string]any{"text": text, "path": path}
	c.add("check", params)
	c.add("suite", params)
	c.add("cases", params)
	c.add("prompt", params)
	c.add("score", map[string]any{"text": text, "path": path, "reply": `{"score": 0.7, "hits": [], "misses": []}`})
}

// addMetrics asks for every metric that needs no more than an answer and the one
// that was expected, as ADK's evalsets have them.
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

// addConformance asks of each pair's input: as a file, as the files it holds as
// text, and, where it has criteria and a reply, or an answer and another, what
// that is worth in each profile.
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
		c.addFile("", string(whole))
		c.addTexts(pair.Input)
	}
	return nil
}

// addTexts asks of every text in a value that may be a file, and scores replies.
func (c *collector) addTexts(value any) {
	switch v := value.(type) {
	case string:
		if strings.ContainsAny(v, "\n:{[") {
			c.addFile("", v)
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
