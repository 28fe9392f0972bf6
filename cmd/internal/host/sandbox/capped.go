package sandbox

import (
	"bytes"
	"io"
)

// capped keeps the first bytes that are written, as many as there is room for,
// and reports that there are more.
type capped struct {
	kept     bytes.Buffer
	room     int64
	overflow func()
}

func (c *capped) Write(p []byte) (int, error) {
	if int64(len(p)) > c.room {
		n, _ := c.kept.Write(p[:c.room])
		c.room = 0
		c.overflow()
		return n, io.ErrShortWrite
	}
	c.room -= int64(len(p))
	return c.kept.Write(p)
}
