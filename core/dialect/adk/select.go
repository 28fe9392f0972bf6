package adk

import (
	"slices"
	"strings"
)

// Selection is a file and which of its cases are meant; none means all.
type Selection struct {
	Path  string
	Cases []string
}

// ParseSelections reads arguments as `adk eval` takes them: PATH or PATH:ID,ID. Arguments
// with the same path are put together; what stands behind a second colon is
// ignored. The colon of a Windows drive parts nothing.
func ParseSelections(args []string) []Selection {
	var all []Selection
	for _, arg := range args {
		drive := ""
		if len(arg) > 2 && arg[1] == ':' && (arg[2] == '\\' || arg[2] == '/') {
			drive, arg = arg[:2], arg[2:]
		}
		path, ids, _ := strings.Cut(arg, ":")
		ids, _, _ = strings.Cut(ids, ":")
		path = drive + path
		at := slices.IndexFunc(all, func(s Selection) bool { return s.Path == path })
		if at < 0 {
			at = len(all)
			all = append(all, Selection{Path: path})
		}
		for id := range strings.SplitSeq(ids, ",") {
			if id = strings.TrimSpace(id); id != "" {
				all[at].Cases = append(all[at].Cases, id)
			}
		}
	}
	return all
}
