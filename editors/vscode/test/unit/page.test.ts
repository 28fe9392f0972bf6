import assert from 'node:assert/strict'
import { test } from 'node:test'
import { page } from '../../src/page.ts'

const report = `<!doctype html>
<html lang="en">
<head>
<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-x&#39;">
<style>:root { --page: #fff } @media screen and (prefers-color-scheme: dark) { :root { --page: #000 } }</style>
</head>
<body><p>style-src</p></body></html>`

test('nothing but styles with the nonce is let in', () => {
  const [policy] = /(?<=Content-Security-Policy" content=")[^"]*/.exec(page(report, false, 'n1'))!
  assert.equal(policy, "default-src 'none'; style-src 'nonce-n1'; base-uri 'none'; form-action 'none'")
  assert.equal(page(report, false, 'n1').match(/<style/g)!.length, page(report, false, 'n1').match(/<style nonce="n1">/g)!.length)
})

test('the report is as dark as the theme is', () => {
  assert.match(page(report, true, 'n'), /@media screen \{ :root \{ --page: #000/)
  assert.match(page(report, false, 'n'), /@media not all \{ :root \{ --page: #000/)
})

test('its text stays', () => {
  assert.match(page(report, true, 'n'), /<body><p>style-src<\/p><\/body>/)
})
