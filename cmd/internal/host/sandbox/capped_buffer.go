package sandbox

import (
	"bytes"
	"io"
)

// cappedBuffer keeps the first bytes that are written, as many as there is room for,
// and reports that there are more.
type cappedBuffer struct {
	buf      bytes.Buffer
	room     int64
	overflow func()
}

func (c *cappedBuffer) Write(p []byte) (int, error) {
	if int64(len(p)) > c.room {
		n, _ := c.buf.Write(p[:c.room])
		c.room = 0
		c.overflow()
		return n, io.ErrShortWrite
	}
	c.room -= int64(len(p))
	return c.buf.Write(p)
}
