package transport

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// headerFrames are the frames of a byte stream: a header with the length, a blank line, and the
// body.
type headerFrames struct {
	io.ReadWriteCloser
	in  *bufio.Reader
	out *bufio.Writer
}

func newHeaderFrames(rw io.ReadWriteCloser) headerFrames {
	return headerFrames{rw, bufio.NewReaderSize(rw, maxHeader), bufio.NewWriter(rw)}
}

func (f headerFrames) read(limit int) ([]byte, error) {
	length, err := readHeader(f.in, limit)
	if err != nil {
		return nil, err
	}
	var body bytes.Buffer // grows as the bytes arrive
	body.Grow(min(length, firstChunk))
	n, err := body.ReadFrom(io.LimitReader(f.in, int64(length)))
	if err == nil && n < int64(length) {
		err = io.ErrUnexpectedEOF
	}
	return body.Bytes(), err
}

// write writes a body with its header: in one call if both are short, and without a copy of a long body.
func (f headerFrames) write(body []byte) error {
	fmt.Fprintf(f.out, "Content-Length: %d\r\n\r\n", len(body))
	_, _ = f.out.Write(body) // Flush returns the first error
	return f.out.Flush()
}

// maxHeader is far longer than any header that clients send.
const maxHeader = 8 << 10

// firstChunk is how much memory is allocated before any of the body has arrived, so that a length
// alone does not claim memory.
const firstChunk = 64 << 10

// readHeader reads a header up to its blank line and returns the length of the body, at most limit.
// Names are case-insensitive, and lines may end in a bare line feed. Any field other than
// Content-Length and Content-Type is an error: a browser can send HTTP to any port, and its request
// must not pass for a frame.
func readHeader(in *bufio.Reader, limit int) (length int, err error) {
	length = -1
	for room := maxHeader; ; {
		line, err := readLine(in, room)
		if err != nil {
			if errors.Is(err, io.EOF) && (len(line) > 0 || room < maxHeader) {
				err = io.ErrUnexpectedEOF
			}
			return 0, err
		}
		room -= len(line)
		field := strings.TrimRight(string(line), "\r\n")
		if field == "" {
			break
		}
		name, value, ok := strings.Cut(field, ":")
		switch {
		case !ok:
			return 0, fmt.Errorf("the header line %.40q has no colon", field)
		case strings.EqualFold(name, "Content-Type"):
			continue
		case !strings.EqualFold(name, "Content-Length"):
			return 0, fmt.Errorf("the header line %.40q is neither Content-Length nor Content-Type", field)
		case length >= 0:
			return 0, errors.New("the header has two Content-Length lines")
		}
		if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil || length <= 0 || length > limit {
			return 0, fmt.Errorf("the Content-Length is %.40q; expected 1 to %d", strings.TrimSpace(value), limit)
		}
	}
	if length < 0 {
		return 0, errors.New("the header has no Content-Length")
	}
	return length, nil
}

// readLine reads a line of at most room bytes.
func readLine(in *bufio.Reader, room int) (line []byte, err error) {
	for {
		chunk, err := in.ReadSlice('\n')
		line = append(line, chunk...)
		switch {
		case len(line) > room:
			return line, fmt.Errorf("the header is longer than %d bytes", maxHeader)
		case !errors.Is(err, bufio.ErrBufferFull):
			return line, err
		}
	}
}
