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

// Pieces is a file of cases in pieces, each of which can be read as a file.
type Pieces struct {
	path string
	long *yaml.Long
}

// Divide divides a file of cases. It is nil where the file has to be read as a
// whole, which is also how what is wrong with it is told.
func Divide(path string) *Pieces {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() { // opening a pipe would take what it has
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	long, err := analysis.DivideLong(path, f, info.Size())
	if err != nil || long == nil {
		return nil
	}
	return &Pieces{path, long}
}

// Count is how many pieces there are.
func (p *Pieces) Count() int { return len(p.long.Pieces) }

// Line is the file's line, from 1, of an offset in the text of a piece.
func (p *Pieces) Line(i, offset int) (int, error) {
	f, err := os.Open(p.path)
	if err != nil {
		return 0, plainly(p.path, err)
	}
	defer f.Close()
	at := offset // of what stands before all pieces
	if offset >= len(p.long.Head) {
		at = p.long.Pieces[i].Start + offset - len(p.long.Head)
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
			return 0, plainly(p.path, err)
		}
	}
}

// Read reads a piece: some of the file's cases, and all that stands around them.
func (p *Pieces) Read(i int) (string, error) {
	span := p.long.Pieces[i]
	f, err := os.Open(p.path)
	if err != nil {
		return "", plainly(p.path, err)
	}
	defer f.Close()
	var b strings.Builder
	b.Grow(len(p.long.Head) + span.Len() + len(p.long.Tail))
	b.WriteString(p.long.Head)
	if _, err := io.Copy(&b, io.NewSectionReader(f, int64(span.Start), int64(span.Len()))); err != nil {
		return "", plainly(p.path, err)
	}
	if p.long.Joint != "" && i < len(p.long.Pieces)-1 {
		if err := p.unjoin(&b); err != nil {
			return "", err
		}
	}
	b.WriteString(p.long.Tail)
	return b.String(), nil
}

// unjoin takes away what joins the piece that has been read to the next one.
func (p *Pieces) unjoin(b *strings.Builder) error {
	body := b.String()
	end := strings.TrimRight(body, " \t\r\n")
	bare, joined := strings.CutSuffix(end, p.long.Joint)
	if !joined || !strings.HasSuffix(strings.TrimRight(bare, " \t\r\n"), "}") { // which each case ends with
		return fmt.Errorf("%s: there is no `%s` between two of its cases", p.path, p.long.Joint)
	}
	b.Reset()
	b.Grow(len(body) + len(p.long.Tail))
	b.WriteString(bare)
	b.WriteString(body[len(end):])
	return nil
}

// At reads the text at some place of the file, which is that of a piece's text.
func (p *Pieces) At(i int, span text.Span) (string, error) {
	f, err := os.Open(p.path)
	if err != nil {
		return "", plainly(p.path, err)
	}
	defer f.Close()
	body := make([]byte, span.Len())
	_, err = f.ReadAt(body, int64(p.long.Pieces[i].Start-len(p.long.Head)+span.Start))
	if err != nil {
		return "", plainly(p.path, err)
	}
	return string(body), nil
}
