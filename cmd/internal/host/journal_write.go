package host

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"
	"time"

	"github.com/rubric-ls/rubric/core/run"
)

// Add appends a record. It flushes when enough records are pending; otherwise [Journal.Flush]
// writes them. After a write error, which may leave part of a record, the journal accepts no
// more.
func (j *Journal) Add(rec *run.Record) error {
	if j.writeErr != nil {
		return j.writeErr
	}
	if j.needsNewline {
		j.pending.WriteByte('\n')
		j.needsNewline = false
	}
	before := j.pending.Len()
	anew := rec.WithoutCacheFlags() // as in the result file
	if err := anew.WriteLine(&j.pending); err != nil {
		return err
	}
	j.addSpan(run.Place{Offset: j.size + int64(before), Size: int64(j.pending.Len() - before)})
	j.unchanged, j.publishable = false, j.publishable && !rec.HasTimes()
	if j.pending.Len() > flushSize {
		return j.Flush()
	}
	return nil
}

// flushSize is the number of pending bytes above which Add flushes.
const flushSize = 32 << 10

// Flush writes pending records. What is written survives the process; all but about the last
// second survives the machine.
func (j *Journal) Flush() error {
	if j.writeErr != nil || j.pending.Len() == 0 {
		return j.writeErr
	}
	n, err := j.file.Write(j.pending.Bytes())
	j.size += int64(n)
	j.pending.Reset()
	if now := time.Now(); err == nil && now.Sub(j.lastSync) > time.Second {
		j.lastSync = now
		if err = j.file.Sync(); errors.Is(err, errors.ErrUnsupported) {
			err = nil
		}
	}
	if err != nil {
		j.writeErr = fileError(j.path, err)
	}
	return j.writeErr
}

// Keep makes a record of an earlier run the next one of this run.
func (j *Journal) Keep(span run.Place) { j.addSpan(span) }

// Read returns a record of an earlier run.
func (j *Journal) Read(span run.Place) (*run.Record, error) {
	line := make([]byte, span.Size)
	if _, err := j.file.ReadAt(line, span.Offset); err != nil {
		return nil, fileError(j.path, err)
	}
	rec, err := decodeRecord(line)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", j.path, err)
	}
	return &rec, nil
}

// HasRecords reports whether the journal holds records, of this run or an earlier one.
func (j *Journal) HasRecords() bool { return j != nil && j.size > 0 }

func (j *Journal) addSpan(span run.Place) {
	if n := len(j.runSpans) - 1; n >= 0 && j.runSpans[n].Offset+j.runSpans[n].Size == span.Offset {
		j.runSpans[n].Size += span.Size
		return
	}
	j.runSpans = append(j.runSpans, span)
}

// Publish replaces the result file by the records of this run, as [Journal.WriteRecords] writes
// them, all or none, and removes the journal. A publishable journal is renamed instead, so
// nothing is written twice.
func (j *Journal) Publish() error {
	if j == nil {
		return nil
	}
	if err := j.Flush(); err != nil {
		return err
	}
	mode, err := replacementMode(j.result)
	if err != nil {
		return err
	}
	info, err := os.Lstat(j.path)
	if !j.publishable || err != nil || !info.Mode().IsRegular() {
		if err := WriteFile(j.result, j.WriteRecords); err != nil {
			return err
		}
		return j.Remove()
	}
	file := j.file
	j.file = nil
	defer file.Close()
	if err := renameOver(file, j.result, mode, func() error { return nil }); err != nil {
		return notWrittenError(j.result, err)
	}
	return nil
}

// Remove removes the journal after the result file was written.
func (j *Journal) Remove() error {
	if j == nil {
		return nil
	}
	j.file.Close()
	j.file = nil
	return os.Remove(j.path)
}

// Close releases the journal for other processes. It removes a journal that has nothing of its
// own.
func (j *Journal) Close() {
	if j == nil {
		return
	}
	if j.file != nil {
		j.Flush()
		info, err := j.file.Stat()
		j.file.Close()
		if err == nil && (info.Size() == 0 || j.unchanged) {
			os.Remove(j.path)
		}
	}
	j.lock.release()
}

// WriteRecords writes the records of this run as lines of JSON, without times, in the order in
// which they were added or kept.
func (j *Journal) WriteRecords(w io.Writer) error { return j.writeSpans(w, j.runSpans) }

// ArchiveOthers appends to RESULT.earlier those of the records at spans that do not belong to
// this run. It returns their number and the file's path. The file is written as a whole or not at
// all. If the run is killed right afterwards, resuming it may append them again.
func (j *Journal) ArchiveOthers(spans iter.Seq[run.Place]) (n int, path string, err error) {
	if j == nil {
		return 0, "", nil
	}
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

// spansOutsideRun returns the spans that hold no record of this run, in file order.
func (j *Journal) spansOutsideRun(spans iter.Seq[run.Place]) (others []run.Place) {
	byOffset := func(a, b run.Place) int { return cmp.Compare(a.Offset, b.Offset) }
	current := slices.SortedFunc(slices.Values(j.runSpans), byOffset)
	for span := range spans {
		i, exact := slices.BinarySearchFunc(current, span, byOffset)
		if !exact && (i == 0 || current[i-1].Offset+current[i-1].Size <= span.Offset) {
			others = append(others, span)
		}
	}
	slices.SortFunc(others, byOffset)
	return others
}

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

// writeSpans writes the records in spans, without times.
func (j *Journal) writeSpans(w io.Writer, spans []run.Place) error {
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
		lines.Reset(io.NewSectionReader(f, span.Offset, span.Size))
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
