package conformance

import (
	"strings"

	"github.com/rubric-ls/rubric/core/yaml"
)

// fileRefFindings checks the files that messages refer to. Read gives the text of a
// file that is found, by its path as written. Only the canonical keys are
// looked at, not their short names, and nothing in a file that is not read.
func fileRefFindings(tree *yaml.Tree, read func(path string) (text string, found bool)) []finding {
	f := &findings{}
	if f.refused(tree) {
		return nil
	}
	for i, n := range ownValue(tree.Root(), "evalcases").List() {
		for _, key := range []string{"input_messages", "expected_messages"} {
			for j, m := range ownValue(n, key).List() {
				for k, part := range ownValue(m, "content").List() {
					f.fileRef(part, itemPath(itemPath(itemPath("evalcases", i)+"."+key, j)+".content", k), read)
				}
			}
		}
	}
	return f.list
}

func (f *findings) fileRef(part *yaml.Node, path string, read func(string) (string, bool)) {
	if kind, _ := ownValue(part, "type").Str(); kind != "file" {
		return
	}
	name, ok := ownValue(part, "value").Str()
	if !ok {
		f.add("file_path_missing", path+".value")
		return
	}
	switch text, found := read(name); {
	case !found:
		f.add("file_not_found", path)
	case strings.TrimSpace(text) == "":
		f.warn("file_empty", path)
	}
}
