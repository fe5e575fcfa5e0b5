import { describe, expect, it } from 'vitest'
import { htmlToMarkdown } from '../../../../src/platform/engine/convert/html.ts'

describe('htmlToMarkdown', () => {
  it.each([
    ['<h1>A &amp; B</h1>text', '# A & B\n\ntext'],
    ['<p>one<br>two</p><p>three</p>', 'one\ntwo\n\nthree'],
    ['<ol><li>a<li>b<ol><li>c</ol></ol>', '1. a\n2. b\n   1. c'],
    ['<a href="javascript:alert(1)">x</a> <a href=https://a.b/c>y</a>', 'x [y](https://a.b/c)'],
    ['a <!-- hidden > --> b<script>if (a<b || c<"d) {}</script>', 'a b'],
    ['1 < 2 and <3', '1 < 2 and <3'],
    ['<p title="a > b">c</p>', 'c'],
    ['<style>a>b{}</STYLE><b>open', '**open**'],
    ['<p>end <a href="never closed', 'end'],
    ['<td>cell outside', 'cell outside'],
    ['&#228;&#xe4;&auml;&unknown;&#0;', 'äää&unknown;\uFFFD'],
  ])('makes of %s', (html, markdown) => {
    expect(htmlToMarkdown(html)).toBe(markdown)
  })

  it.each([
    ['<a '.repeat(300_000)],
    ['<a "'.repeat(300_000)],
    ['<'.repeat(500_000)],
    ['<!--'.repeat(300_000)],
    ['<p>x</p>'.repeat(200_000)],
    ['<ul><li>'.repeat(100_000)],
    ['<table><tr><td>'.repeat(100_000)],
  ])('takes hostile input in one pass (%#)', (html) => {
    expect(typeof htmlToMarkdown(html)).toBe('string')
  })
})
