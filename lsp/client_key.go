package lsp

import (
	"context"
	"strings"
)

// methodKey asks the client for a key that it keeps.
const methodKey = "rubric/key"

// keyParams name a key as the variable of the environment is called that it would
// be in.
type keyParams struct {
	Name string `json:"name"`
}

// keyResult is a key, "" for none. It is kept no longer than what it opens.
type keyResult struct {
	Key string `json:"key"`
}

// keyClient is the client that keys are asked of, in the context in which a host is
// to open something.
type keyClient struct{}

// withKeyClient lets a host ask the client for keys, if that keeps any.
func withKeyClient(ctx context.Context, c *client) context.Context {
	if !c.hasKeys {
		return ctx
	}
	return context.WithValue(ctx, keyClient{}, c)
}

// ClientKey gives the key that the client keeps under a name, for a [Host] that was
// given this context; "" if it keeps none.
func ClientKey(ctx context.Context, name string) string {
	c, ok := ctx.Value(keyClient{}).(*client)
	if !ok {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	var result keyResult
	if err := c.call(ctx, methodKey, &keyParams{Name: name}, &result); err != nil {
		return ""
	}
	return strings.Clone(result.Key) // what was decoded is a part of the message
}
