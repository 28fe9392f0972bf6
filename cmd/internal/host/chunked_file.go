package host

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// ChunkedFile is a file of cases in pieces, each of which can be read as a file.
type ChunkedFile struct {
	path   string
	layout *yaml.ChunkedText
}

// OpenChunkedFile divides a file of cases. It is nil where the file has to be read as a
// whole, which is also how what is wrong with it is told.
func OpenChunkedFile(path string) *ChunkedFile {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() { // opening a pipe would take what it has
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	layout, err := analysis.DivideReader(path, f, info.Size())
	if err != nil || layout == nil {
		return nil
	}
	return &ChunkedFile{path, layout}
}

// Count is how many pieces there are.
func (c *ChunkedFile) Count() int { return len(c.layout.Chunks) }

// Line is the file's line, from 1, of an offset in the text of a piece.
func (c *ChunkedFile) Line(i, offset int) (int, error) {
	f, err := os.Open(c.path)
	if err != nil {
		return 0, fileError(c.path, err)
	}
	defer f.Close()
	at := offset // of what stands before all pieces
	if offset >= len(c.layout.Head) {
		at = c.layout.Chunks[i].Start + offset - len(c.layout.Head)
	}
	before := bufio.NewReaderSize(io.NewSectionReader(f, 0, int64(at)), 64<<10)
	for line := 1; ; {
		part, err := before.ReadSlice('\n')
		switch {
		case err == nil:
			line++
		case err == io.EOF:
			return line, nil
		case err != bufio.ErrBufferFull || len(part) == 0:
			return 0, fileError(c.path, err)
		}
	}
}

// Read reads a piece: some of the file's cases, and all that stands around them.
func (c *ChunkedFile) Read(i int) (string, error) {
	span := c.layout.Chunks[i]
	f, err := os.Open(c.path)
	if err != nil {
		return "", fileError(c.path, err)
	}
	defer f.Close()
	var b strings.Builder
	b.Grow(len(c.layout.Head) + span.Len() + len(c.layout.Tail))
	b.WriteString(c.layout.Head)
	if _, err := io.Copy(&b, io.NewSectionReader(f, int64(span.Start), int64(span.Len()))); err != nil {
		return "", fileError(c.path, err)
	}
	if c.layout.Separator != "" && i < len(c.layout.Chunks)-1 {
		if err := c.trimJoint(&b); err != nil {
			return "", err
		}
	}
	b.WriteString(c.layout.Tail)
	return b.String(), nil
}

// trimJoint takes away what joins the piece that has been read to the next one.
func (c *ChunkedFile) trimJoint(b *strings.Builder) error {
	body := b.String()
	end := strings.TrimRight(body, " \t\r\n")
	trimmed, joined := strings.CutSuffix(end, c.layout.Separator)
	if !joined || !strings.HasSuffix(strings.TrimRight(trimmed, " \t\r\n"), "}") { // which each case ends with
		return fmt.Errorf("%s: there is no `%s` between two of its cases", c.path, c.layout.Separator)
	}
	b.Reset()
	b.Grow(len(body) + len(c.layout.Tail))
	b.WriteString(trimmed)
	b.WriteString(body[len(end):])
	return nil
}

// ReadSpan reads the text at some place of the file, which is that of a piece's text.
func (c *ChunkedFile) ReadSpan(i int, span text.Span) (string, error) {
	f, err := os.Open(c.path)
	if err != nil {
		return "", fileError(c.path, err)
	}
	defer f.Close()
	body := make([]byte, span.Len())
	_, err = f.ReadAt(body, int64(c.layout.Chunks[i].Start-len(c.layout.Head)+span.Start))
	if err != nil {
		return "", fileError(c.path, err)
	}
	return string(body), nil
}
