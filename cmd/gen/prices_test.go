package main

import "testing"

func TestPriceTable(t *testing.T) {
	const list = `[
		{"id": "openai", "models": [
			{"id": "gpt-9", "match": {"or": [{"equals": "gpt-9"}, {"equals": "gpt-9-2030-01-31"}, {"equals": "gpt-9-chat-latest"}]}, "prices": {"input_mtok": 2, "output_mtok": 8}},
			{"id": "gpt-9-2029-01-31", "match": {"equals": "gpt-9-2029-01-31"}, "prices": {"input_mtok": 3, "output_mtok": 9}},
			{"id": "gpt-9-audio", "match": {"equals": "gpt-9-audio"}, "prices": {"input_mtok": 4, "output_mtok": 8}},
			{"id": "o9", "match": {"starts_with": "o9"}, "prices": [
				{"prices": {"input_mtok": 10, "output_mtok": 40}},
				{"constraint": {"start_date": "2030-01-01"}, "prices": {"input_mtok": 5, "output_mtok": 20}},
				{"constraint": {"start_date": "2030-03-01"}, "prices": {"input_mtok": 1, "output_mtok": 2}},
				{"constraint": {"start_time": "00:30:00Z", "end_time": "16:30:00Z"}, "prices": {"input_mtok": 0, "output_mtok": 0}}]},
			{"id": "vectors", "match": {"equals": "vectors"}, "prices": {"input_mtok": 0.1}}]},
		{"id": "google", "models": [
			{"id": "gemini-9", "match": {"equals": "gemini-9"}, "prices": {"input_mtok": {"base": 1.25, "tiers": [{"start": 200000, "price": 2.5}]}, "output_mtok": 10}},
			{"id": "claude-9", "match": {"equals": "claude-9"}, "prices": {"input_mtok": 1, "output_mtok": 5}}]},
		{"id": "azure", "models": [{"id": "gpt-9", "match": {"equals": "gpt-9"}, "prices": {"input_mtok": 7, "output_mtok": 7}}]}]`
	const want = "2030-02-01\ngemini:gemini-9,1.25,10\nopenai:gpt-9,2,8\nopenai:gpt-9-2029-01-31,3,9\nopenai:gpt-9-chat,2,8\nopenai:o9,5,20\n"
	if got, err := priceTable([]byte(list), "2030-02-01"); err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
	for _, list := range []string{"[]", "{}"} {
		if got, err := priceTable([]byte(list), "2030-02-01"); err == nil {
			t.Errorf("%s: %s", list, got)
		}
	}
}
