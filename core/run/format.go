package run

import (
	"io"

	"github.com/rubric-ls/rubric/core/rubric"
)

// Format is the format in which another tool writes results. The package that reads and writes it registers it.
type Format struct {
	Name  string                 // on the command line
	Is    func(head []byte) bool // reports whether a file that begins so is of the format
	Read  func([]byte) ([]Record, error)
	Write func(w io.Writer, description string, records []Record, derived []rubric.DerivedMetric) error
}

// FormatHeadSize is how many bytes of a file show its format.
const FormatHeadSize = 400

var formats []Format

// RegisterFormat adds a format.
func RegisterFormat(f Format) { formats = append(formats, f) }

// Formats returns the registered formats.
func Formats() []Format { return formats }
