// The documents as a small site: `npm run docs` builds it into `site` with Eleventy. Each page stands where its markdown
// stands in the repository, so links between documents stay as they are.
import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import MarkdownIt from 'markdown-it'
import MiniSearch from 'minisearch'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const HERE = dirname(fileURLToPath(import.meta.url))
const NAVIGATION = [
  ['index', 'Footbridge'],
  ['docs/using', 'Using it'],
  ['docs/slack', 'Slack'],
  ['docs/discord', 'Discord'],
  ['docs/deploy', 'Deploy'],
  ['docs/operations', 'Operations'],
  ['docs/security', 'Security'],
  ['docs/privacy', 'Privacy'],
  ['docs/api', 'API'],
  ['docs/mcp', 'MCP'],
  ['docs/adapters', 'Adapters'],
  ['ARCHITECTURE', 'Architecture'],
  ['docs/glossary', 'Glossary'],
  ['docs/adr/index', 'Decisions'],
  ['CHANGELOG', 'Changes'],
]

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
/** As the forge makes them of headings. */
const slugOf = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')

/** A link as it leads on the site; `undefined`: to a folder of code, which the site does not have. */
function linkOf(href) {
  if (/^(?:[a-z]+:|#)/.test(href)) return href
  const [path, hash] = href.split('#')
  const end = hash === undefined ? '' : `#${hash}`
  if (/(?:^|\/)adr\/?$/.test(path)) return `${path.replace(/\/$/, '')}/index.html`
  if (/^(?:\.\.\/)*(?:src|adapters|test|bench|deploy)\//.test(path)) return undefined
  if (path.endsWith('.md')) return path.replace(/README\.md$/, 'index.html').replace(/\.md$/, '.html') + end
  return /\.(?:png|gif|pdf)$/.test(path) ? href : undefined
}

function createMarkdown() {
  const markdown = new MarkdownIt({ html: true })
  const seen = new Map()
  markdown.core.ruler.push('site', (state) => {
    seen.clear()
    state.tokens.forEach((token, index) => {
      if (token.type === 'heading_open') {
        const words = state.tokens[index + 1].children.map(({ content }) => content).join('')
        const slug = slugOf(words)
        const count = seen.get(slug) ?? 0
        seen.set(slug, count + 1)
        token.attrSet('id', count === 0 ? slug : `${slug}-${count}`)
      }
      for (const child of token.children ?? []) {
        if (child.type !== 'link_open') continue
        const link = linkOf(child.attrGet('href'))
        if (link === undefined) child.attrs = [['class', 'source']]
        else child.attrSet('href', link)
      }
    })
  })
  return markdown
}

/** Sections of a page, for the search. */
function sectionsOf(url, html) {
  const title = /<h1[^>]*>([\s\S]*?)<\/h1>/.exec(html)?.[1] ?? url
  const plain = (part) => part.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ').trim()
  return html.split(/(?=<h[23] )/).map((part) => {
    const [, id, heading] = /^<h[23] id="([^"]*)"[^>]*>([\s\S]*?)<\/h/.exec(part) ?? []
    const address = `${url.replace(/^\//, '')}${id === undefined ? '' : `#${id}`}`
    return { id: address, title: plain(heading === undefined ? title : `${title}: ${heading}`), text: plain(part) }
  })
}

function pageOf(content, url) {
  const root = '../'.repeat(url.split('/').length - 2) || './'
  const heading = /<h1[^>]*>([\s\S]*?)<\/h1>/.exec(content)?.[1]?.replaceAll(/<[^>]+>/g, '') ?? 'Footbridge'
  const items = NAVIGATION.map(
    ([path, name]) => `<li><a href="${root}${path}.html"${url === `/${path}.html` ? ' aria-current="page"' : ''}>${escape(name)}</a></li>`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading} · Footbridge</title><link rel="stylesheet" href="${root}site.css"></head>
<body data-root="${root}"><a class="skip" href="#content">To the text</a>
<nav aria-label="Documents"><search><label for="search">Search</label><input id="search" type="search" autocomplete="off"><ul id="found" aria-live="polite"></ul></search>
<ul>${items.join('')}</ul></nav>
<main id="content">${content}</main>
<script src="${root}minisearch.js" defer></script><script src="${root}search.js" defer></script></body></html>`
}

export default function configure(site) {
  site.setLibrary('md', createMarkdown())
  site.addGlobalData('permalink', () => ({ page }) => `${page.filePathStem.replace(/^\/README$/, '/index')}.html`)
  site.setUseGitIgnore(false)
  for (const folder of ['node_modules', 'src', 'adapters', 'test', 'bench', 'dist', 'site', 'data', 'deploy', '.github'])
    site.ignores.add(`./${folder}/**`)
  const decisions = globSync('docs/adr/*.md', { cwd: ROOT }).toSorted()
  const titles = decisions.map((path) => {
    const [, title] = /^# (.*)$/m.exec(readFileSync(join(ROOT, path), 'utf8')) ?? []
    return `- [${title}](${path.replace('docs/adr/', '')})`
  })
  site.addTemplate('docs/adr/index.md', `# Decisions\n\n${titles.join('\n')}\n`)
  for (const kind of ['png', 'gif', 'pdf']) site.addPassthroughCopy(`docs/**/*.${kind}`)
  const sections = []
  site.addTransform('page', function wrap(content) {
    const { url } = this.page
    sections.push(...sectionsOf(url, content))
    return pageOf(content, url)
  })
  site.on('eleventy.after', ({ directories }) => {
    const output = directories.output
    const index = new MiniSearch({ fields: ['title', 'text'], storeFields: ['title'] })
    index.addAll([...new Map(sections.map((section) => [section.id, section])).values()])
    mkdirSync(output, { recursive: true })
    writeFileSync(join(output, 'search.json'), JSON.stringify(index))
    copyFileSync(join(ROOT, 'node_modules/minisearch/dist/umd/index.js'), join(output, 'minisearch.js'))
    for (const name of ['search.js', 'site.css']) copyFileSync(join(HERE, name), join(output, name))
  })
  return { templateFormats: ['md'], markdownTemplateEngine: false, dir: { input: '.', output: 'site' } }
}
