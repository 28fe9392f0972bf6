package host

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"

	"github.com/rubric-ls/rubric/core/run"
)

// WriteRecords writes the records of this run, in the order in which they were added or
// given again, and without their times, as lines of JSON.
func (j *Journal) WriteRecords(w io.Writer) error { return j.writeSpans(w, j.runSpans) }

// ArchiveOthers adds those of the records at some places that are not this run's to
// RESULT.earlier, which it gives the path of, and says how many they are. It is
// written whole or not at all; a run that is killed right after that may add them
// once more when it is resumed.
func (j *Journal) ArchiveOthers(spans iter.Seq[RecordSpan]) (n int, path string, err error) {
	path = j.result + ".earlier"
	others := j.spansOutsideRun(spans)
	if len(others) == 0 {
		return 0, path, nil
	}
	err = WriteFile(path, func(w io.Writer) error {
		if err := copyIfExists(path, w); err != nil {
			return err
		}
		return j.writeSpans(w, others)
	})
	return len(others), path, err
}

// spansOutsideRun are the places that hold no record of this run, in the journal's order.
func (j *Journal) spansOutsideRun(spans iter.Seq[RecordSpan]) (others []RecordSpan) {
	byOffset := func(a, b RecordSpan) int { return cmp.Compare(a.offset, b.offset) }
	current := slices.SortedFunc(slices.Values(j.runSpans), byOffset)
	for span := range spans {
		i, exact := slices.BinarySearchFunc(current, span, byOffset)
		if !exact && (i == 0 || current[i-1].offset+current[i-1].size <= span.offset) {
			others = append(others, span)
		}
	}
	slices.SortFunc(others, byOffset)
	return others
}

// copyIfExists writes what is in a file, if there is one.
func copyIfExists(path string, w io.Writer) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}

// writeSpans writes what stands in some stretches of the journal.
func (j *Journal) writeSpans(w io.Writer, spans []RecordSpan) error {
	if err := j.Flush(); err != nil {
		return err
	}
	f, err := os.Open(j.path)
	if err != nil {
		return fileError(j.path, err)
	}
	defer f.Close()
	lines := bufio.NewReaderSize(nil, 64<<10)
	for _, span := range spans {
		lines.Reset(io.NewSectionReader(f, span.offset, span.size))
		if err := copyWithoutTimes(lines, w); err != nil {
			return fileError(j.path, err)
		}
	}
	return nil
}

func copyWithoutTimes(lines *bufio.Reader, w io.Writer) error {
	for {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			if line = run.StripTimes(line); line[len(line)-1] != '\n' {
				line = append(line, '\n')
			}
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}
