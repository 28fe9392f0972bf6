package targets

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	wire "github.com/rubric-ls/rubric/core/judge/provider"
)

// AutoJudgeName is the judge of --judge that stands for the first one that this machine has.
const AutoJudgeName = "auto"

// autoJudges are the models that AutoJudge takes, in this order, where the key is set.
var autoJudges = []string{"openai:gpt-4.1-mini", "anthropic:claude-haiku-4-5", "gemini:gemini-2.5-flash", "openrouter:openai/gpt-4.1-mini"}

// localProviders run models on this machine.
var localProviders = []wire.Provider{wire.Ollama, wire.LMStudio}

// AutoJudge returns the first model whose key the environment has, or else the first one that
// Ollama or LM Studio has on this machine, and says why. Unless mayAsk, no server is asked.
func AutoJudge(ctx context.Context, mayAsk bool) (name, why string, err error) {
	for _, name := range autoJudges {
		prefix, model, _ := strings.Cut(name, ":")
		p, _ := wire.FindProvider(prefix)
		if key := (variables{}).first(p.KeyVars); key.Value != "" && checkModel(environmentModel(p, model, variables{})) == nil {
			return name, key.Name + " is set", nil
		}
	}
	for _, p := range localProviders {
		if !mayAsk {
			continue
		}
		if models := localModels(ctx, p); len(models) > 0 {
			return p.Name + ":" + models[0], p.Name + " has it on this machine", nil
		}
	}
	return "", "", errors.New("no key of a provider is set, and neither Ollama nor LM Studio answers on this machine; " + SuggestJudge())
}

// localModels returns the models of a server on this machine, or nothing if none answers.
func localModels(ctx context.Context, p wire.Provider) (names []string) {
	base := cmp.Or(environmentModel(p, "MODEL", variables{}).Base, p.BaseURL)
	address, err := url.Parse(base)
	if err != nil || !isLoopback(address.Hostname()) {
		return nil
	}
	path := "/models"
	if p.Name == wire.Ollama.Name {
		path = "/v1/models"
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second) // a busy machine takes its time
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(base, "/")+path, nil)
	if err != nil {
		return nil
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil
	}
	defer response.Body.Close()
	var list struct{ Data []struct{ ID string } }
	if json.NewDecoder(io.LimitReader(response.Body, 1<<20)).Decode(&list) != nil {
		return nil
	}
	for _, m := range list.Data {
		names = append(names, m.ID)
	}
	return names
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// AvailableModels describes what models this machine has: keys that are set, without their values, with
// the address and the price of the model that `auto` takes, and servers that answer.
func (p *Ports) AvailableModels(ctx context.Context) (lines []string) {
	for _, maker := range wire.Providers() {
		if key := (variables{}).first(maker.KeyVars); key.Value != "" {
			lines = append(lines, maker.Name+": "+key.Name+" is set"+p.describeProvider(maker))
		}
	}
	for _, maker := range localProviders {
		if models := localModels(ctx, maker); len(models) > 0 {
			lines = append(lines, maker.Name+": has "+strings.Join(models, ", "))
		}
	}
	if len(lines) == 0 {
		lines = []string{"none: no key of a provider is set, and no server answers on this machine"}
	}
	return lines
}

// describeProvider describes the address of a provider, and the price of the model that `auto` takes there.
func (p *Ports) describeProvider(maker wire.Provider) (text string) {
	model := environmentModel(maker, "MODEL", variables{})
	if base := cmp.Or(model.Base, maker.BaseURL); base != "" {
		text = "; asks " + base
	}
	for _, name := range autoJudges {
		prefix, name, _ := strings.Cut(name, ":")
		if prefix != maker.Name {
			continue
		}
		model.Name = name
		if rate, err := p.lookupRate(model); err == nil && rate != nil {
			text += fmt.Sprintf("; a million tokens of %s cost $%g to read and $%g to write", name, rate.Input, rate.Output)
		} else {
			text += "; its prices are unknown, see `rubric help costs`"
		}
	}
	return text
}
