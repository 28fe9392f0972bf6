package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/judge/price"
)

// writePrices writes the table of prices from a copy of [price.Source]'s list, as of a date.
func writePrices(root, listPath, date string) error {
	list, err := os.ReadFile(listPath)
	if err != nil {
		return err
	}
	body, err := priceTable(list, date)
	if err != nil {
		return fmt.Errorf("%s: %w", listPath, err)
	}
	return os.WriteFile(filepath.Join(root, "core/judge/price/prices.csv"), body, 0o644)
}

// pricedProviders are the providers of the list whose models the table has, by the list's name.
// Those that charge by their own address, such as Azure, are not among them.
var pricedProviders = map[string]string{"anthropic": "anthropic", "google": "gemini", "openai": "openai"}

// notChat matches models that do not answer messages with text, and spellings of other providers.
var notChat = regexp.MustCompile(`image|vision|audio|realtime|live|tts|transcribe|embedding|moderation|robotics|computer-use|instruct|ada|babbage|curie|davinci|^gpt-\d-\d(-\D|$)|[:/@]`)

type listedProvider struct {
	ID     string `json:"id"`
	Models []struct {
		ID     string          `json:"id"`
		Match  json.RawMessage `json:"match"`
		Prices json.RawMessage `json:"prices"`
	} `json:"models"`
}

// priceTable returns the table's text: the date, then PROVIDER:MODEL,INPUT,OUTPUT in US dollars per
// million tokens, sorted. Of prices by length, the one for short prompts counts.
func priceTable(list []byte, date string) ([]byte, error) {
	var providers []listedProvider
	if err := json.Unmarshal(list, &providers); err != nil {
		return nil, err
	}
	rates := map[string]price.Rate{}
	for _, provider := range providers {
		name, priced := pricedProviders[provider.ID]
		for _, model := range provider.Models {
			rate, known := rateAt(model.Prices, date)
			if !priced || !known || provider.ID == "google" && !strings.HasPrefix(model.ID, "gemini-") {
				continue
			}
			for _, alias := range append(equalNames(model.Match), model.ID) {
				if !notChat.MatchString(alias) {
					rates[name+":"+alias] = rate
				}
			}
		}
	}
	if len(rates) == 0 {
		return nil, fmt.Errorf("has no prices of %s", strings.Join(slices.Sorted(maps.Keys(pricedProviders)), ", "))
	}
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(rates))) {
		rate, base := rates[name], price.WithoutRelease(name)
		if other, known := rates[base]; base != name && (!known || other == rate) { // [price.Table.Lookup] finds it as base
			delete(rates, name)
			rates[base] = rate
		}
	}
	var b bytes.Buffer
	b.WriteString(date + "\n")
	for _, name := range slices.Sorted(maps.Keys(rates)) {
		fmt.Fprintf(&b, "%s,%g,%g\n", name, rates[name].Input, rates[name].Output)
	}
	return b.Bytes(), nil
}

// rateAt returns the price on a date. A list of prices has the later ones last, with their first day.
func rateAt(body json.RawMessage, date string) (rate price.Rate, known bool) {
	var periods []struct {
		Constraint map[string]any  `json:"constraint"`
		Prices     json.RawMessage `json:"prices"`
	}
	if json.Unmarshal(body, &periods) == nil {
		for _, period := range periods {
			start, dated := period.Constraint["start_date"].(string)
			if period.Constraint == nil || dated && start <= date {
				body = period.Prices
			}
		}
	}
	var prices struct {
		Input  *listedPrice `json:"input_mtok"`
		Output *listedPrice `json:"output_mtok"`
	}
	if json.Unmarshal(body, &prices) != nil || prices.Input == nil || prices.Output == nil {
		return rate, false
	}
	return price.Rate{Input: float64(*prices.Input), Output: float64(*prices.Output)}, true
}

// listedPrice is a number, or an object with the price of short prompts.
type listedPrice float64

// UnmarshalJSON reads either form.
func (p *listedPrice) UnmarshalJSON(body []byte) error {
	var tiers struct {
		Base float64 `json:"base"`
	}
	if json.Unmarshal(body, &tiers) == nil {
		*p = listedPrice(tiers.Base)
		return nil
	}
	return json.Unmarshal(body, (*float64)(p))
}

// equalNames returns the names that a condition of the list compares with.
func equalNames(match json.RawMessage) (names []string) {
	var condition struct {
		Equals string            `json:"equals"`
		Or     []json.RawMessage `json:"or"`
	}
	if json.Unmarshal(match, &condition) != nil {
		return nil
	}
	for _, one := range condition.Or {
		names = append(names, equalNames(one)...)
	}
	if condition.Equals != "" {
		names = append(names, condition.Equals)
	}
	return names
}
