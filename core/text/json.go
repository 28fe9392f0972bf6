package text

import (
	"bytes"
	"encoding/json"
)

// JSON returns a value as JSON on one line, in which <, > and & stay as they are.
func JSON(value any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}
