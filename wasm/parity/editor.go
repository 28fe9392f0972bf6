package parity

import (
	"github.com/rubric-ls/rubric/core/text"
)

// addEditor asks what an editor does of a document, at marks and halfway, and again
// after a key was typed there.
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
	for _, offset := range places {
		at := src.OffsetPosition(offset, text.UTF16)
		here := map[string]any{"position": at}
		for _, method := range []string{"hover", "complete", "highlight", "linked", "definition", "references", "renameable", "enter"} {
			ask(method, here)
		}
		ask("rename", map[string]any{"position": at, "newName": "other"})
		ask("selection", map[string]any{"positions": []any{at}})
		ask("actions", map[string]any{"range": text.Range{Start: at, End: at}})
		ask("edit", map[string]any{"version": 2, "changes": []any{map[string]any{"range": text.Range{Start: at, End: at}, "text": "x: é"}}})
		ask("diagnose", nil)
	}
	ask("forget", nil)
}
