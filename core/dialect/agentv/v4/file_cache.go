package v4

import (
	"sync"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// FileCache keeps what other files hold, each of which is read once, however often
// it is referred to. What is kept holds for one suite's text around its tests.
// Many may ask at once; the zero value keeps nothing yet.
type FileCache struct {
	mu     sync.Mutex
	trees  map[string]*yaml.Tree // by reference; nil: there is no such file
	suites map[string]*rubric.Suite
}

// HasEntries reports whether any file has been referred to.
func (c *FileCache) HasEntries() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.trees) > 0
}

// loadTree is that of a file, nil if there is none.
func (c *FileCache) loadTree(name string, parse func(*text.Source) *yaml.Tree, readFile func(string) (string, bool)) *yaml.Tree {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, known := c.trees[name]
	if !known {
		if body, found := readFile(name); found {
			t = parse(text.New(name, body))
		}
		if c.trees == nil {
			c.trees = map[string]*yaml.Tree{}
		}
		c.trees[name] = t
	}
	return t
}

// loadSuite is what a file's tests amount to.
func (c *FileCache) loadSuite(name string, lower func() *rubric.Suite) *rubric.Suite {
	c.mu.Lock()
	s := c.suites[name]
	c.mu.Unlock()
	if s != nil {
		return s
	}
	s = lower()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.suites == nil {
		c.suites = map[string]*rubric.Suite{}
	}
	c.suites[name] = s
	return s
}
