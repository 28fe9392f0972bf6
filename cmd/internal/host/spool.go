package host

import (
	"bufio"
	"io"
	"iter"
	"os"

	"github.com/rubric-ls/rubric/core/run"
)

// maxInMemory is how many records are kept in memory before the others are put aside.
const maxInMemory = 500

// Spool keeps records in their order for as long as they are needed, of which there may
// be more than there is room for: all but the first are in a file of its own, that goes
// when it is closed. Where no such file can be made they are held: they are paid for.
type Spool struct {
	inMemory []run.Record
	noFile   bool // no file can be made
	file     *os.File
	out      *bufio.Writer
	size     int64
	err      error // the first of reading
}

// Add keeps one more record.
func (s *Spool) Add(rec *run.Record) error {
	if s.file == nil && len(s.inMemory) >= maxInMemory && !s.noFile {
		file, err := os.CreateTemp("", "rubric-*.jsonl")
		if err == nil {
			_ = os.Remove(file.Name()) // where an open file can go, nothing that ends the process leaves it
			s.file, s.out = file, bufio.NewWriterSize(&countingWriter{file, &s.size}, 64<<10)
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

// countingWriter counts what is written.
type countingWriter struct {
	to   io.Writer
	size *int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	*c.size += int64(n)
	return n, err
}

// Records gives those that were added, as often as it is asked; see [Spool.Err].
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
		if s.err = s.out.Flush(); s.err == nil {
			s.err = s.readBack(yield)
		}
	}
}

func (s *Spool) readBack(yield func(run.Record) bool) error {
	_, err := scanRecords(io.NewSectionReader(s.file, 0, s.size), func(rec *run.Record, _ RecordSpan) error {
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

// Err is why not all records could be given; nil if they were.
func (s *Spool) Err() error { return s.err }

// Close lets go of them.
func (s *Spool) Close() {
	if s.file != nil {
		s.file.Close()
		os.Remove(s.file.Name())
	}
}
