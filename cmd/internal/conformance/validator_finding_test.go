package conformance

import "strconv"

// severity is error or warning.
type severity string

const (
	severityError   severity = "error"
	severityWarning severity = "warning"
)

// finding is one thing that the validator reports. Path is dotted, as
// evalcases[0].id, and "" for the file as a whole.
type finding struct {
	Category string
	Path     string
	Severity severity
}

// findings gathers what is found.
type findings struct {
	reading
	list []finding
}

func (f *findings) add(category, path string) {
	f.list = append(f.list, finding{category, path, severityError})
}

func (f *findings) warn(category, path string) {
	f.list = append(f.list, finding{category, path, severityWarning})
}

func itemPath(path string, index int) string { return path + "[" + strconv.Itoa(index) + "]" }
