import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reportPage } from '../../src/report-page.ts'

const report = `<!doctype html>
<html lang="en">
<head>
<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-x&#39;">
<style>:root { color-scheme: light dark; --paper: light-dark(#fff, #000) }</style>
</head>
<body><p>style-src</p></body></html>`

test('the content security policy allows only styles with the nonce', () => {
  const [policy] = /(?<=Content-Security-Policy" content=")[^"]*/.exec(reportPage(report, false, 'n1'))!
  assert.equal(policy, "default-src 'none'; style-src 'nonce-n1'; base-uri 'none'; form-action 'none'")
  assert.equal(reportPage(report, false, 'n1').match(/<style/g)!.length, reportPage(report, false, 'n1').match(/<style nonce="n1">/g)!.length)
})

test('the report follows the theme', () => {
  assert.match(reportPage(report, true, 'n'), /light dark;.*screen \{ :root \{ color-scheme: dark;/s)
  assert.match(reportPage(report, false, 'n'), /light dark;.*screen \{ :root \{ color-scheme: light;/s)
})

test('the text of the report is unchanged', () => {
  assert.match(reportPage(report, true, 'n'), /<body><p>style-src<\/p><\/body>/)
})
