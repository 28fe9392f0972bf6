package host

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// ReadAnswers reads a target's recorded answers.
func ReadAnswers(path string) (run.Recording, error) { return decodeFile(path, run.ReadRecording) }

// ReadReplay reads the recorded answers of a judge or of a panel, and gives their names.
func ReadReplay(path string) (judge.Replay, []string, error) {
	replay, err := decodeFile(path, judge.ReadReplay)
	if len(replay.Judges) == 0 {
		return replay, replayNames(path), err
	}
	return replay, replay.Judges, err
}

// replayNames is what a judge is called of whom a recording does not tell the name.
func replayNames(path string) []string { return []string{"replay:" + filepath.Base(path)} }

func decodeFile[T any](path string, read func(io.Reader) (T, error)) (value T, err error) {
	f, err := os.Open(path)
	if err != nil {
		return value, fileError(path, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return value, folderError(path)
	}
	if value, err = read(f); err != nil {
		return value, fmt.Errorf("%s: %w", path, err)
	}
	return value, nil
}

// OpenRecording opens a file to record a judge's answers at the end of. What breaks off
// there, of a run that was killed, is left on a line of its own.
func OpenRecording(path string) (io.WriteCloser, error) {
	if err := checkNotLinked(path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fileError(path, err)
	}
	last := make([]byte, 1)
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
		if _, err := f.ReadAt(last, info.Size()-1); err == nil && last[0] != '\n' {
			_, err = f.WriteString("\n")
			if err != nil {
				f.Close()
				return nil, fileError(path, err)
			}
		}
	}
	return f, nil
}

// ReadScores reads the scores in a file of results.
func ReadScores(path string) (score.Scores, error) { return decodeFile(path, score.ReadScores) }

// ReadRecordFile reads a file of results.
func ReadRecordFile(path string) ([]run.Record, error) {
	return decodeFile(path, func(r io.Reader) ([]run.Record, error) {
		records, _, err := ReadRecords(r)
		return records, err
	})
}

// ReadResults are the records of a file that has to hold some.
func ReadResults(path string) ([]run.Record, error) {
	records, err := ReadRecordFile(path)
	if err == nil && len(records) == 0 {
		err = fmt.Errorf("%s holds no results", path)
	}
	return records, err
}
