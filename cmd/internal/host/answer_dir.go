package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// answerDir is a folder of our own for what a command writes: nobody else can
// put a file or a link in its place, and all of it is taken away at the end.
type answerDir string

func newAnswerDir() (answerDir, error) {
	dir, err := os.MkdirTemp("", "rubric-answer-*")
	if err != nil {
		return "", fmt.Errorf("make a folder for the answer: %w", err)
	}
	return answerDir(dir), nil
}

func (d answerDir) path() string { return filepath.Join(string(d), "answer.txt") }

func (d answerDir) remove() { os.RemoveAll(string(d)) }

func (d answerDir) read() ([]byte, error) {
	info, err := os.Stat(d.path())
	switch {
	case err != nil || !info.Mode().IsRegular():
		return nil, errors.New("did not write its OUTPUT_FILE")
	case info.Size() > MaxOutput:
		return nil, fmt.Errorf("wrote more than %d MiB to its OUTPUT_FILE", MaxOutput>>20)
	}
	return os.ReadFile(d.path())
}
