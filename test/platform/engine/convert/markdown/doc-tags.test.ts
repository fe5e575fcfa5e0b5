import { expect, it } from 'vitest'
import { toDocTags } from '#platform/engine/convert/markdown/doc-tags.ts'

it('writes a document in DocTags: title, sections, text, lists, tables, code and pages', async () => {
  const markdown = [
    '# Handbook',
    '## Ferry & bus',
    'Leaves at **9:40**,\nsee [plan](https://example.org/x).',
    '- one\n  - inner\n- two',
    '1. first',
    '| Place | Price |\n| --- | --- |\n| pier | |\n| x\\|y | 2 |',
    '```js\nif (a < b) c()\n```',
  ].join('\n\n')
  const tags = await toDocTags([
    { page: 1, markdown },
    { page: 2, markdown: '###### Deep' },
  ])
  expect(tags.split('\n')).toEqual([
    '<doctag><title>Handbook</title>',
    '<section_header_level_1>Ferry &amp; bus</section_header_level_1>',
    '<text>Leaves at 9:40, see plan.</text>',
    '<unordered_list>',
    '<list_item>',
    'one',
    '<unordered_list>',
    '<list_item>',
    'inner',
    '</list_item>',
    '</unordered_list>',
    '</list_item>',
    '<list_item>',
    'two',
    '</list_item>',
    '</unordered_list>',
    '<ordered_list>',
    '<list_item>',
    'first',
    '</list_item>',
    '</ordered_list>',
    '<otsl>',
    '<ched>Place',
    '<ched>Price',
    '<nl>',
    '<fcel>pier',
    '<ecel>',
    '<nl>',
    '<fcel>x|y',
    '<fcel>2',
    '<nl>',
    '</otsl>',
    '<code>if (a &lt; b) c()</code>',
    '<page_break>',
    '<section_header_level_5>Deep</section_header_level_5>',
    '</doctag>',
  ])
})
