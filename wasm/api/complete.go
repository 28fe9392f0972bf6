package api

import (
	"fmt"

	"github.com/rubric-ls/rubric/core/assist"
)

// CompletionList is what could stand at a place, the likeliest first.
type CompletionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []CompletionItem `json:"items"`
}

// CompletionItem is something that could stand at a place. Data is for `resolve`.
type CompletionItem struct {
	Label            string    `json:"label"`
	Kind             int       `json:"kind"`
	Detail           string    `json:"detail,omitempty"`
	SortText         string    `json:"sortText"`
	FilterText       string    `json:"filterText,omitempty"`
	InsertTextFormat int       `json:"insertTextFormat,omitempty"` // 2 for a snippet
	InsertTextMode   int       `json:"insertTextMode"`             // 1: indented as it has to be
	TextEdit         *TextEdit `json:"textEdit"`
	Command          *Command  `json:"command,omitempty"`
	Data             *topic    `json:"data,omitempty"`
}

// topic is what an item's documentation is about.
type topic struct {
	URI   string `json:"uri"`
	Topic string `json:"topic"`
}

func complete(p positionParams) (CompletionList, error) {
	list := CompletionList{Items: []CompletionItem{}}
	d, offset, err := p.findPosition()
	if err != nil {
		return list, err
	}
	part := d.ChunkAt(offset)
	items := assist.Complete(part, part.FromFile(offset), assist.NewHost(d.Analysis, offset))
	list.IsIncomplete = assist.IsIncomplete(items)
	for n, item := range items {
		item.Edit.Span = part.ToFile(item.Edit.Span)
		list.Items = append(list.Items, toCompletionItem(d, n, item))
	}
	return list, nil
}

func toCompletionItem(d document, n int, item assist.CompletionItem) CompletionItem {
	out := CompletionItem{
		Label: item.Label, Kind: int(item.Kind), Detail: item.Detail,
		SortText: fmt.Sprintf("%04d", n), FilterText: item.Filter, InsertTextMode: 1,
	}
	edit := item.Edit
	if len(item.Stops) > 0 {
		edit, out.InsertTextFormat = item.Snippet(), 2
	}
	out.TextEdit = &TextEdit{toRange(d.Analysis, edit.Span), edit.New}
	if item.Retrigger {
		out.Command = &Command{Title: "complete again", Command: "editor.action.triggerSuggest"}
	}
	if item.DocKey != "" {
		out.Data = &topic{d.name, item.DocKey}
	}
	return out
}
