package objectstore

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/rclone/gofakes3"
	"github.com/rclone/gofakes3/s3mem"

	"github.com/rubric-ls/rubric/cmd/internal/host/judgecache"
	"github.com/rubric-ls/rubric/core/judge"
)

// openStores returns two stores at an address of the bucket team, as two processes have them.
func openStores(t *testing.T, address string) (stores [2]judge.Store) {
	t.Helper()
	objects := s3mem.New()
	if err := objects.CreateBucket(t.Context(), "team"); err != nil {
		t.Fatal(err)
	}
	handler := gofakes3.New(objects).Server()
	var writing sync.Mutex // the fake checks a condition and writes in two steps; a real server does both in one
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut {
			writing.Lock()
			defer writing.Unlock()
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	for name, value := range map[string]string{"AWS_ENDPOINT_URL": server.URL, "STORAGE_EMULATOR_HOST": server.URL, "AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "i", "AWS_SECRET_ACCESS_KEY": "s"} {
		t.Setenv(name, value)
	}
	for i := range stores {
		var err error
		if stores[i], err = Open(t.Context(), address); err != nil {
			t.Fatal(err)
		}
	}
	return stores
}

// TestPaidOnce: of two processes that ask 50 equal questions at once, one pays for each.
func TestPaidOnce(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "j")
	for name, stores := range map[string][2]judge.Store{
		"a folder": {&judgecache.Store{Path: folder}, &judgecache.Store{Path: folder}},
		"a bucket": openStores(t, "s3://team/judgements"),
	} {
		t.Run(name, func(t *testing.T) { askTogether(t, stores) })
	}
}

func askTogether(t *testing.T, stores [2]judge.Store) {
	const questions = 50
	var paid atomic.Int32
	var asking, all sync.WaitGroup
	asking.Add(2 * questions)
	provider := judge.Func(func(_ context.Context, q judge.Question) (judge.Answer, error) {
		asking.Wait()
		paid.Add(1)
		return judge.Answer{Text: q.User}, nil
	})
	for _, store := range stores {
		cached := judge.Cache(provider, "m", store, func(_ bool, err error) {
			if err != nil {
				t.Error(err)
			}
		})
		for i := range questions {
			all.Go(func() {
				asking.Done()
				q := judge.Question{User: fmt.Sprint(i)}
				if a, err := cached.Ask(t.Context(), q); err != nil || a.Text != q.User {
					t.Errorf("%+v, %v", a, err)
				}
			})
		}
	}
	all.Wait()
	if paid.Load() != questions {
		t.Errorf("%d questions were paid for %d times", questions, paid.Load())
	}
}

// TestGoogle: a bucket of Google shares answers. A lease there holds up nobody.
func TestGoogle(t *testing.T) {
	stores := openStores(t, "gs://team/judgements")
	want := judge.Answer{Text: "yes"}
	if err := stores[0].Put("question", want); err != nil {
		t.Fatal(err)
	}
	if got, found, err := stores[1].Get("question"); !found || err != nil || got.Text != want.Text {
		t.Errorf("%+v, %t, %v", got, found, err)
	}
	for _, s := range stores {
		if _, err := s.(*store).Lease(t.Context(), "question"); err != nil {
			t.Error(err)
		}
	}
}

// TestStaleLease: the lease of a process that died is taken over, and a wait for another ends with its context.
func TestStaleLease(t *testing.T) {
	stores := openStores(t, "s3://team/judgements")
	first, second := stores[0].(*store), stores[1].(*store)
	ctx, die := context.WithCancel(t.Context())
	if _, err := first.Lease(ctx, "question"); err != nil {
		t.Fatal(err)
	}
	waiting, cancel := context.WithCancel(t.Context())
	time.AfterFunc(time.Millisecond, cancel)
	if _, err := second.Lease(waiting, "question"); err == nil {
		t.Error("two hold a lease")
	}
	die()
	second.silence = time.Millisecond
	release, err := second.Lease(t.Context(), "question")
	if err != nil {
		t.Error(err)
	}
	release()
	for object := range second.client.ListObjects(t.Context(), "team", minio.ListObjectsOptions{Recursive: true}) {
		t.Errorf("%s is left", object.Key)
	}
}
