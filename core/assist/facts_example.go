package assist

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/pattern"
)

// plainScalar is a text that YAML reads as that text wherever it stands.
var plainScalar = pattern.New(`^[A-Za-z][A-Za-z0-9 ./_-]*[A-Za-z0-9]$`)

// formatExample is a value of the field table as YAML on one line.
func formatExample(value any) string {
	switch v := value.(type) {
	case string:
		return quoteScalar(v)
	case []string:
		all := make([]string, len(v))
		for i, item := range v {
			all[i] = quoteScalar(item)
		}
		return "[" + strings.Join(all, ", ") + "]"
	case map[string]any:
		var all []string
		for _, key := range slices.SortedStableFunc(maps.Keys(v), compareNumeric) {
			all = append(all, key+": "+formatExample(v[key]))
		}
		return "{ " + strings.Join(all, ", ") + " }"
	case []int:
		return strings.ReplaceAll(fmt.Sprint(v), " ", ", ")
	}
	return fmt.Sprint(value)
}

// quoteScalar is a text as YAML, in double quotes where it needs any.
func quoteScalar(text string) string {
	if plainScalar().MatchString(text) && !slices.Contains([]string{"true", "false", "null"}, strings.ToLower(text)) {
		return text
	}
	quoted, _ := json.Marshal(text) // a string always marshals
	return string(quoted)
}

// compareNumeric puts keys that are numbers in the order of these.
func compareNumeric(a, b string) int {
	x, errX := strconv.Atoi(a)
	y, errY := strconv.Atoi(b)
	if errX != nil || errY != nil {
		return cmp.Compare(a, b)
	}
	return cmp.Compare(x, y)
}
