// Package objectstore keeps judges' answers in a bucket of an object store that speaks S3, such as Amazon's, Google's or
// MinIO. An answer is an object, named by the fingerprint of its question.
package objectstore

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/judgecache"
	"github.com/rubric-ls/rubric/core/judge"
)

// timeout limits the time of one request, with its repetitions.
const timeout = 10 * time.Second

type store struct {
	client         *minio.Client
	address        string
	bucket, prefix string
	silence        time.Duration // after which a lease that its process does not renew counts as stale
}

// Open returns the store at an address, s3://BUCKET/PREFIX or gs://BUCKET/PREFIX. The variables of Amazon's tools say where
// the server is and which key to use; a key can also be from their files, or be that of the machine. For gs it is an HMAC key
// of Google Cloud Storage. A bucket that cannot be read is an error.
func Open(ctx context.Context, address string) (judge.Store, error) {
	s, err := connect(address)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	exists, err := s.client.BucketExists(ctx, s.bucket)
	if err == nil && !exists {
		err = errors.New("there is no such bucket")
	}
	if err != nil {
		return nil, s.wrapError(err)
	}
	return s, nil
}

func connect(address string) (*store, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	endpoint := cmp.Or(os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL"), "https://s3.amazonaws.com")
	switch {
	case u.Scheme == "gs":
		endpoint = cmp.Or(os.Getenv("STORAGE_EMULATOR_HOST"), "https://storage.googleapis.com")
	case u.Scheme != "s3":
		return nil, fmt.Errorf("%s is neither a folder nor s3://BUCKET/PREFIX nor gs://BUCKET/PREFIX", address)
	}
	server, err := url.Parse(endpoint)
	if err != nil || server.Host == "" {
		return nil, fmt.Errorf("the address of the server is %q, and must be one such as https://minio:9000; set AWS_ENDPOINT_URL, or STORAGE_EMULATOR_HOST for gs", endpoint)
	}
	client, err := minio.New(server.Host, &minio.Options{
		Secure: server.Scheme == "https", Region: cmp.Or(os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION")), MaxRetries: 3,
		Creds: credentials.NewChainCredentials([]credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}, &credentials.IAM{}}),
	})
	if err != nil {
		return nil, err
	}
	prefix := strings.Trim(u.Path, "/")
	if prefix != "" {
		prefix += "/"
	}
	return &store{client: client, address: address, bucket: u.Host, prefix: prefix, silence: 30 * time.Second}, nil
}

// Get returns the answer stored under a key.
func (s *store) Get(key string) (a judge.Answer, found bool, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	name := judgecache.Fingerprint(key)
	object, err := s.client.GetObject(ctx, s.bucket, s.prefix+name, minio.GetObjectOptions{})
	if err != nil {
		return a, false, s.wrapError(err)
	}
	defer object.Close()
	body, err := io.ReadAll(object)
	if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
		return a, false, nil
	}
	if err != nil {
		return a, false, s.wrapError(err)
	}
	a, found = judgecache.DecodeEntry(name, body)
	return a, found, nil
}

// Put stores an answer.
func (s *store) Put(key string, a judge.Answer) error {
	name := judgecache.Fingerprint(key)
	body, err := judgecache.EncodeEntry(name, a)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	_, err = s.client.PutObject(ctx, s.bucket, s.prefix+name, bytes.NewReader(body), int64(len(body)), minio.PutObjectOptions{ContentType: "application/json"})
	if err != nil {
		return s.wrapError(err)
	}
	return nil
}

// Lease implements [judge.Leaser]. A lease is an object that is created only if there is none, and removed at the end. Its
// process writes it anew every third of silence. One that another process sees unchanged for that long is taken over, by its
// ETag. Google's interface for S3 has no such conditions: there, two processes may ask the same question.
func (s *store) Lease(ctx context.Context, key string) (release func(), err error) {
	none := func() {}
	if strings.HasPrefix(s.address, "gs:") {
		return none, nil
	}
	name := s.prefix + "leases/" + judgecache.Fingerprint(key)
	create := minio.PutObjectOptions{}
	create.SetMatchETagExcept("*")
	limit := time.Now().Add(judgecache.LeaseLimit)
	for err = s.writeLease(ctx, name, create); isRefused(err) && time.Now().Before(limit); {
		options := create
		if stale := s.waitForLease(ctx, name, limit); stale != "" {
			options = minio.PutObjectOptions{}
			options.SetMatchETag(stale)
		}
		err = s.writeLease(ctx, name, options)
	}
	switch {
	case err == nil:
		return s.hold(ctx, name), nil
	case isRefused(err): // the limit
		return none, nil
	}
	return none, s.wrapError(err)
}

// isRefused reports whether an error says that another process holds, or held, a lease.
func isRefused(err error) bool {
	return slices.Contains([]string{minio.PreconditionFailed, "ConditionalRequestConflict", minio.NoSuchKey}, minio.ToErrorResponse(err).Code)
}

// waitForLease waits until a lease is released, and returns "", or until it is stale, and returns its ETag.
func (s *store) waitForLease(ctx context.Context, name string, limit time.Time) (stale string) {
	etag, seen := "", time.Now()
	for time.Now().Before(limit) {
		found, err := s.client.StatObject(ctx, s.bucket, name, minio.StatObjectOptions{})
		switch {
		case err != nil: // released; otherwise the next request returns the error
			return ""
		case found.ETag != etag:
			etag, seen = found.ETag, time.Now()
		case time.Since(seen) > s.silence:
			return etag
		}
		if host.Sleep(ctx, 200*time.Millisecond) != nil {
			return ""
		}
	}
	return ""
}

// writeLease writes a lease with a body, and so an ETag, of its own.
func (s *store) writeLease(ctx context.Context, name string, condition minio.PutObjectOptions) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	owner := rand.Text()
	_, err := s.client.PutObject(ctx, s.bucket, name, strings.NewReader(owner), int64(len(owner)), condition)
	return err
}

// hold renews a lease until the returned function removes it. If ctx ends, the lease ends by itself.
func (s *store) hold(ctx context.Context, name string) (release func()) {
	stop := host.Repeat(ctx, s.silence/3, func(ctx context.Context) {
		_ = s.writeLease(ctx, name, minio.PutObjectOptions{}) // the next attempt may succeed
	})
	return func() {
		stop()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
		defer cancel()
		_ = s.client.RemoveObject(ctx, s.bucket, name, minio.RemoveObjectOptions{}) // otherwise it ends by itself
	}
}

func (s *store) wrapError(err error) error {
	return fmt.Errorf("the judgement cache %s cannot be used: %w", s.address, err)
}
