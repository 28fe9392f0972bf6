package wasi

// clock is a guest's time: it starts at the same instant in every run, and goes
// on only as far as the guest asks it to, by looking or by sleeping, so that a
// run can be repeated and a sleep takes no time.
type clock struct{ passed int64 } // nanoseconds

// start is 1 January 2026, in seconds.
const start = 1767225600

func (c *clock) walltime() (sec int64, nsec int32) {
	now := c.nanotime()
	return start + now/1e9, int32(now % 1e9)
}

func (c *clock) nanotime() int64 {
	c.passed += 1000
	return c.passed
}

func (c *clock) sleep(ns int64) { c.passed += max(ns, 0) }
