package host

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/core/run"
)

// Journal keeps a run's records on disk as they come, in PATH.partial, so that
// an interrupted run keeps what it has. One process at a time writes it.
type Journal struct {
	result       string // the file that the records are for
	path         string // of the journal itself
	lock         resultLock
	file         *os.File     // nil once it is taken away
	size         int64        // of what is in it
	runSpans     []RecordSpan // the records of this run, as a few stretches of the file
	needsNewline bool         // its last line has no end yet
	unchanged    bool         // it has nothing that the result file has not
	publishable  bool         // it has nothing but what the result file is to have
	writeErr     error        // why it takes no more records
	lastSync     time.Time
	pending      bytes.Buffer // what is to be written
	// TruncatedFile is the file whose last line breaks off, as when its run was stopped in
	// the middle of it; "" if none does. The record on that line is not known.
	TruncatedFile string
}

const journalSuffix = ".partial"

// RecordSpan is where a record stands in a journal.
type RecordSpan struct{ offset, size int64 }

// OpenJournal opens the journal of a result file. With resume it shows the records
// of an interrupted run, or else those of the result file itself; without, one that
// an interrupted run left is an error, for it would be lost.
func OpenJournal(result string, resume bool, visit func(*run.Record, RecordSpan)) (*Journal, error) {
	lock, err := lockResult(result)
	if err != nil {
		return nil, err
	}
	removeTempFiles(result)
	j := &Journal{result: result, path: result + journalSuffix, lock: lock, lastSync: time.Now()}
	if err := j.open(resume, visit); err != nil {
		j.Close()
		return nil, err
	}
	return j, nil
}

// removeTempFiles removes the temporary files that a killed run of a result file left. Whoever
// holds its claim is the only one to write them.
func removeTempFiles(result string) {
	for _, ending := range []string{"", journalSuffix, ".earlier"} {
		before, after := "."+filepath.Base(result)+ending+".", ".tmp"
		entries, _ := os.ReadDir(filepath.Dir(result)) // a folder that cannot be read is left as it is
		for _, e := range entries {
			number, hasPrefix := strings.CutPrefix(e.Name(), before)
			number, hasSuffix := strings.CutSuffix(number, after)
			if !hasPrefix || !hasSuffix {
				continue
			}
			if _, err := strconv.ParseUint(number, 10, 64); err == nil && e.Type().IsRegular() {
				os.Remove(filepath.Join(filepath.Dir(result), e.Name()))
			}
		}
	}
}

func (j *Journal) open(resume bool, visit func(*run.Record, RecordSpan)) (err error) {
	info, e := os.Stat(j.path)
	if err := checkNotLinked(j.path); err != nil && (e != nil || info.Mode().IsRegular()) {
		return err
	}
	if e == nil && info.Size() > 0 && !resume {
		return fmt.Errorf("%s holds what an interrupted run has done; go on with --resume, or remove it", j.path)
	}
	if j.file, err = os.OpenFile(j.path, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return fileError(j.path, err)
	}
	if !resume {
		j.publishable = true
		return nil
	}
	if info, e := j.file.Stat(); e == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s: is not a regular file", j.path)
	}
	if err = j.scan(j.path, j.file, visit); err != nil {
		return err
	}
	if j.size > 0 {
		return j.prepareAppend()
	}
	return j.copyResult(visit)
}

// scan shows the records of a file, which the journal is then as large as: without
// a last line that was cut off.
func (j *Journal) scan(path string, f *os.File, visit func(*run.Record, RecordSpan)) error {
	found := false
	size, err := scanRecords(f, func(rec *run.Record, span RecordSpan) error {
		found = true
		visit(rec, span)
		return nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if info, err := f.Stat(); err == nil && info.Size() > size {
		j.TruncatedFile = path
	}
	if j.size = size; !found {
		j.size = 0
	}
	return nil
}

// prepareAppend makes the next record the one behind those that are there.
func (j *Journal) prepareAppend() error {
	last := make([]byte, 1)
	_, err := j.file.ReadAt(last, j.size-1)
	if err == nil && last[0] != '\n' {
		j.needsNewline = true
	}
	if err == nil {
		err = j.file.Truncate(j.size)
	}
	if err == nil {
		_, err = j.file.Seek(j.size, io.SeekStart)
	}
	if err != nil {
		return fileError(j.path, err)
	}
	return nil
}

// copyResult makes the records of the result file the journal's, whole or not at all:
// the next interruption would lose some of them otherwise.
func (j *Journal) copyResult(visit func(*run.Record, RecordSpan)) error {
	f, err := os.Open(j.result)
	if errors.Is(err, fs.ErrNotExist) {
		return j.truncate()
	}
	if err != nil {
		return fileError(j.result, err)
	}
	defer f.Close()
	if err := j.scan(j.result, f, visit); err != nil {
		return err
	}
	if j.size == 0 {
		return j.truncate()
	}
	j.file.Close()
	err = WriteFile(j.path, func(w io.Writer) error {
		_, err := io.Copy(w, io.NewSectionReader(f, 0, j.size))
		return err
	})
	if err == nil {
		j.file, err = os.OpenFile(j.path, os.O_RDWR, 0o644)
	}
	if err != nil {
		return fileError(j.path, err)
	}
	j.unchanged = true
	return j.prepareAppend()
}

// truncate takes away a line that was cut off, where there is no other.
func (j *Journal) truncate() error {
	if err := j.file.Truncate(0); err != nil {
		return fileError(j.path, err)
	}
	if _, err := j.file.Seek(0, io.SeekStart); err != nil {
		return fileError(j.path, err)
	}
	j.publishable = true
	return nil
}

// Add appends a record, which [Journal.Flush] writes, and what comes to more than a few
// records by itself. After one that the disk did not take, of which a part may be left at
// the end, the journal takes no more.
func (j *Journal) Add(rec *run.Record) error {
	if j.writeErr != nil {
		return j.writeErr
	}
	if j.needsNewline {
		j.pending.WriteByte('\n')
		j.needsNewline = false
	}
	before := j.pending.Len()
	anew := rec.WithoutCacheFlags() // as the result file is to have it
	if err := anew.WriteLine(&j.pending); err != nil {
		return err
	}
	j.addSpan(RecordSpan{j.size + int64(before), int64(j.pending.Len() - before)})
	j.unchanged, j.publishable = false, j.publishable && !rec.HasTimes()
	if j.pending.Len() > flushSize {
		return j.Flush()
	}
	return nil
}

// flushSize is how many bytes of records are written together.
const flushSize = 32 << 10

// Flush writes what was added: it survives the process, and all but about the last
// second the machine.
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

// Reuse gives a record of an earlier run, which is this one's too.
func (j *Journal) Reuse(span RecordSpan) (*run.Record, error) {
	rec, err := j.ReadRecord(span)
	if err == nil {
		j.addSpan(span)
	}
	return rec, err
}

// ReadRecord gives a record of an earlier run.
func (j *Journal) ReadRecord(span RecordSpan) (*run.Record, error) {
	line := make([]byte, span.size)
	if _, err := j.file.ReadAt(line, span.offset); err != nil {
		return nil, fileError(j.path, err)
	}
	rec, err := decodeRecord(line)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", j.path, err)
	}
	return &rec, nil
}

// HasRecords reports whether there are records to go on from, of this run or an earlier one.
func (j *Journal) HasRecords() bool { return j.size > 0 }

// addSpan makes a record the run's next.
func (j *Journal) addSpan(span RecordSpan) {
	if n := len(j.runSpans) - 1; n >= 0 && j.runSpans[n].offset+j.runSpans[n].size == span.offset {
		j.runSpans[n].size += span.size
		return
	}
	j.runSpans = append(j.runSpans, span)
}

// Publish makes the records of this run the result file, as [Journal.Untimed] writes
// them, whole or not at all, and takes the journal away. One that is fair and beside
// that file becomes it: nothing is written twice.
func (j *Journal) Publish() error {
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

// Remove takes the journal away once the result file is written.
func (j *Journal) Remove() error {
	j.file.Close()
	j.file = nil
	return os.Remove(j.path)
}

// Close lets another process have it. A journal without anything of its own is
// taken away.
func (j *Journal) Close() {
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
