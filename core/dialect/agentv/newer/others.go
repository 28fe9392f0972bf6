package newer

import (
	"sync"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Others keeps what other files hold, each of which is read once, however often
// it is referred to. What is kept holds for one suite's text around its tests.
// Many may ask at once; the zero value keeps nothing yet.
type Others struct {
	lock   sync.Mutex
	trees  map[string]*yaml.Tree // by reference; nil: there is no such file
	suites map[string]*rubric.Suite
}

// Asked reports whether any file has been referred to.
func (o *Others) Asked() bool {
	o.lock.Lock()
	defer o.lock.Unlock()
	return len(o.trees) > 0
}

// tree is that of a file, nil if there is none.
func (o *Others) tree(name string, parse func(*text.Source) *yaml.Tree, files func(string) (string, bool)) *yaml.Tree {
	o.lock.Lock()
	defer o.lock.Unlock()
	t, known := o.trees[name]
	if !known {
		if body, found := files(name); found {
			t = parse(text.New(name, body))
		}
		if o.trees == nil {
			o.trees = map[string]*yaml.Tree{}
		}
		o.trees[name] = t
	}
	return t
}

// suite is what a file's tests amount to.
func (o *Others) suite(name string, lower func() *rubric.Suite) *rubric.Suite {
	o.lock.Lock()
	s := o.suites[name]
	o.lock.Unlock()
	if s != nil {
		return s
	}
	s = lower()
	o.lock.Lock()
	defer o.lock.Unlock()
	if o.suites == nil {
		o.suites = map[string]*rubric.Suite{}
	}
	o.suites[name] = s
	return s
}
