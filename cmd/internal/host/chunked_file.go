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

// ChunkedFile is a file of cases in chunks, each of which can be parsed as a file.
type ChunkedFile struct {
	path   string
	layout *yaml.ChunkedText
}

// OpenChunkedFile divides a file of cases into chunks. It returns nil if the file must be read as
// a whole, for example to report what is wrong with it.
func OpenChunkedFile(path string) *ChunkedFile {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() { // reading a pipe would consume it
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

// Count returns the number of chunks.
func (c *ChunkedFile) Count() int { return len(c.layout.Chunks) }

// HeadLength returns the length of the text before all cases, with which each chunk begins.
func (c *ChunkedFile) HeadLength() int { return len(c.layout.Head) }

// Line returns the file's line, from 1, of an offset in chunk i.
func (c *ChunkedFile) Line(i, offset int) (int, error) {
	f, err := os.Open(c.path)
	if err != nil {
		return 0, fileError(c.path, err)
	}
	defer f.Close()
	at := offset // in the text before all chunks
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

// Read reads chunk i: some of the file's cases, between the text that surrounds all cases.
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

// trimJoint removes the separator between the chunk in b and the next one.
func (c *ChunkedFile) trimJoint(b *strings.Builder) error {
	body := b.String()
	end := strings.TrimRight(body, " \t\r\n")
	trimmed, joined := strings.CutSuffix(end, c.layout.Separator)
	if !joined || !strings.HasSuffix(strings.TrimRight(trimmed, " \t\r\n"), "}") { // every case ends with a brace
		return fmt.Errorf("%s: there is no `%s` between two of its cases", c.path, c.layout.Separator)
	}
	b.Reset()
	b.Grow(len(body) + len(c.layout.Tail))
	b.WriteString(trimmed)
	b.WriteString(body[len(end):])
	return nil
}

// ReadSpan reads the file's text at a span of chunk i.
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
