package host

import (
	"bufio"
	"io"
	"iter"
	"os"

	"github.com/rubric-ls/rubric/core/run"
)

// maxInMemory is the number of records in memory before the others go to a file.
const maxInMemory = 500

// Spool holds records in order, however many there are. All but the first go to a temporary file,
// which is removed on Close. If that file cannot be created, they stay in memory: they were paid
// for.
type Spool struct {
	inMemory []run.Record
	noFile   bool // the file cannot be created
	file     *os.File
	out      *bufio.Writer
	err      error // the first read error
}

// Add adds one more record.
func (s *Spool) Add(rec *run.Record) error {
	if s.file == nil && len(s.inMemory) >= maxInMemory && !s.noFile {
		file, err := os.CreateTemp("", "rubric-*.jsonl")
		if err == nil {
			_ = os.Remove(file.Name()) // on Unix, the file is then gone even if the process is killed
			s.file, s.out = file, bufio.NewWriterSize(file, 64<<10)
		}
		s.noFile = err != nil
	}
	if s.file == nil {
		s.inMemory = append(s.inMemory, *rec)
		return nil
	}
	if err := rec.WriteLine(s.out); err != nil {
		return fileError(s.file.Name(), err)
	}
	return nil
}

// Records iterates over the records, any number of times; see [Spool.Err].
func (s *Spool) Records() iter.Seq[run.Record] {
	return func(yield func(run.Record) bool) {
		for _, rec := range s.inMemory {
			if !yield(rec) {
				return
			}
		}
		if s.file == nil || s.err != nil {
			return
		}
		s.err = s.readBack(yield)
	}
}

func (s *Spool) readBack(yield func(run.Record) bool) error {
	if err := s.out.Flush(); err != nil {
		return err
	}
	size, err := s.file.Seek(0, io.SeekCurrent)
	if err != nil {
		return fileError(s.file.Name(), err)
	}
	_, err = scanRecords(io.NewSectionReader(s.file, 0, size), func(rec *run.Record, _ run.Place) error {
		if !yield(*rec) {
			return io.EOF
		}
		return nil
	})
	if err == nil || err == io.EOF {
		return nil
	}
	return fileError(s.file.Name(), err)
}

// Err returns the error that ended an iteration early, if any.
func (s *Spool) Err() error { return s.err }

// Close removes the file.
func (s *Spool) Close() {
	if s.file != nil {
		s.file.Close()
		os.Remove(s.file.Name())
	}
}
