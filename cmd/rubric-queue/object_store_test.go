package main

import (
	"bytes"
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rclone/gofakes3"
	"github.com/rclone/gofakes3/s3mem"
)

// startObjectStore starts a server that speaks S3 and has the bucket team, and sets the variables of its clients.
func startObjectStore(t *testing.T) *s3mem.Backend {
	t.Helper()
	objects := s3mem.New()
	if err := objects.CreateBucket(t.Context(), "team"); err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(gofakes3.New(objects, gofakes3.WithV4Auth(map[string]string{"the-id": "the-secret"})).Server())
	t.Cleanup(s.Close)
	for name, value := range map[string]string{"AWS_ENDPOINT_URL": s.URL, "AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "the-id", "AWS_SECRET_ACCESS_KEY": "the-secret"} {
		t.Setenv(name, value)
	}
	return objects
}

// objectsOf returns the objects of the bucket by name.
func objectsOf(t *testing.T, b *s3mem.Backend) map[string]string {
	t.Helper()
	list, err := b.ListBucket(t.Context(), "team", &gofakes3.Prefix{}, gofakes3.ListBucketPage{})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, content := range list.Contents {
		object, err := b.GetObject(t.Context(), "team", content.Key, nil)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(object.Contents)
		if err != nil {
			t.Fatal(err)
		}
		all[content.Key] = string(body)
	}
	return all
}

// TestObjectStore: machines without a common folder share judgements in a bucket. It holds no question and no key. A changed
// object is asked for again.
func TestObjectStore(t *testing.T) {
	otlp, r := project(t)
	bucket := startObjectStore(t)
	on := func(cached string) {
		t.Helper()
		t.Setenv("XDG_CACHE_HOME", t.TempDir())
		before := len(r.spans)
		execute(t, 0, "run", "--otlp", otlp, "--cache", "s3://team/judgements")
		if got := describe(r.spans[before]); !strings.HasPrefix(got, "case one cached="+cached+" ") {
			t.Errorf("want cached=%s: %s", cached, got)
		}
	}
	on("false")
	on("true")
	modified := map[string]string{"Last-Modified": "Mon, 02 Jan 2006 15:04:05 GMT"}
	all := objectsOf(t, bucket)
	for name, body := range all {
		if !strings.HasPrefix(name, "judgements/") || strings.Contains(body, "secret") || strings.Contains(body, "openai") || !strings.Contains(body, "overall_reasoning") {
			t.Errorf("%s: %s", name, body)
		}
		changed := strings.Replace(body, "true", "false", 1)
		if _, err := bucket.PutObject(t.Context(), "team", name, modified, strings.NewReader(changed), int64(len(changed))); err != nil {
			t.Fatal(err)
		}
	}
	if len(all) != 1 {
		t.Errorf("%v", all)
	}
	on("false")
	on("true")
}

// TestObjectStoreRefused: a run whose cache cannot be read says so before it asks anyone.
func TestObjectStoreRefused(t *testing.T) {
	project(t)
	startObjectStore(t)
	for _, c := range []struct{ cache, variable, value, want string }{
		{"s3://other", "", "", "the judgement cache s3://other cannot be used: there is no such bucket"},
		{"s3://team", "AWS_SECRET_ACCESS_KEY", "another", "the judgement cache s3://team cannot be used: "},
		{"s3://team", "AWS_ENDPOINT_URL", "minio:9000", `the address of the server is "minio:9000", and must be one such as https://minio:9000; set AWS_ENDPOINT_URL`},
		{"azblob://team", "", "", "azblob://team is neither a folder nor s3://BUCKET/PREFIX nor gs://BUCKET/PREFIX"},
	} {
		t.Run(c.cache+" "+c.variable, func(t *testing.T) {
			if c.variable != "" {
				t.Setenv(c.variable, c.value)
			}
			out := &bytes.Buffer{}
			executeTo(t, out, 2, "run", "--cache", c.cache)
			if !strings.Contains(out.String(), c.want) {
				t.Errorf("%s", out)
			}
		})
	}
}
