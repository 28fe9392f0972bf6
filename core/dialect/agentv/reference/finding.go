package reference

import "strconv"

// Severity is error or warning.
type Severity string

const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Finding is one thing that the validator reports. Path is dotted, as
// evalcases[0].id, and "" for the file as a whole.
type Finding struct {
	Category string
	Path     string
	Severity Severity
}

// findings gathers what is found.
type findings struct {
	reading
	list []Finding
}

func (f *findings) add(category, path string) {
	f.list = append(f.list, Finding{category, path, Error})
}

func (f *findings) warn(category, path string) {
	f.list = append(f.list, Finding{category, path, Warning})
}

func at(path string, index int) string { return path + "[" + strconv.Itoa(index) + "]" }
