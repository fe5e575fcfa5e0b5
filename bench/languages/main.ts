import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openLibrary } from '../quality/library.ts'
import { mean, reciprocalRank } from '../quality/measures.ts'

const say = (text: string) => void process.stdout.write(`${text}\n`)

/** A page of GNOME's help. */
interface Page {
  readonly title: string
  readonly description: string
  readonly paragraphs: readonly string[]
}

const plain = (xml: string) =>
  xml
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim()

function readPage(folder: string, language: string, name: string): Page {
  const xml = readFileSync(join(folder, language, 'gnome-help', name), 'utf8').replaceAll(/<!--[^]*?-->/g, '')
  const info = /<info>[^]*?<\/info>/.exec(xml)?.[0] ?? ''
  const texts = [...xml.replace(info, '').matchAll(/<(p|title)(?:\s[^>]*)?>([^]*?)<\/\1>/g)]
  const [title = '', ...paragraphs] = texts.map(([, , text = '']) => plain(text)).filter((text) => text !== '')
  return { title, description: plain(/<desc>([^]*?)<\/desc>/.exec(info)?.[1] ?? ''), paragraphs }
}

const MIN_TRANSLATED = 0.8

/** Pages that are translated, except for a fifth at most. */
function readPages(folder: string, language: string): readonly Page[] {
  const names = readdirSync(join(folder, 'C', 'gnome-help')).filter((name) => name.endsWith('.page'))
  return names.flatMap((name) => {
    const [page, original] = [readPage(folder, language, name), readPage(folder, 'C', name)]
    const translated = page.paragraphs.filter((text) => !original.paragraphs.includes(text)).length
    const isTranslated = page.title !== original.title && translated >= MIN_TRANSLATED * page.paragraphs.length
    return isTranslated && page.paragraphs.length > 1 ? [page] : []
  })
}

/**
 * GNOME's help in other languages (Debian's package `gnome-user-docs`): each page a file without its title and
 * description, which are the questions. `main.ts <folder of /usr/share/help> <languages>`
 */
async function main([folder = '/usr/share/help', ...languages]: readonly string[]): Promise<void> {
  await using library = await openLibrary()
  say('| language | pages | title, hit@10 | MRR@10 | description, hit@10 | MRR@10 |\n|---|---|---|---|---|---|')
  for (const language of languages) {
    const pages = readPages(folder, language)
    // oxlint-disable-next-line no-await-in-loop -- one language after the other
    await library.fill(
      language,
      pages.map(({ paragraphs }) => paragraphs.join('\n\n')),
    )
    const figures: string[] = []
    for (const kind of ['title', 'description'] as const) {
      const ranks: number[] = []
      for (const [at, page] of pages.entries()) {
        if (page[kind] === '') continue
        // oxlint-disable-next-line no-await-in-loop -- the index answers one question at a time
        const { hits } = await library.store.search(language, { question: page[kind], limit: 10 })
        ranks.push(reciprocalRank([...new Set(hits.map(({ fileId }) => fileId - 1))], at))
      }
      figures.push(mean(ranks.map((rank) => Number(rank > 0))).toFixed(3), mean(ranks).toFixed(3))
    }
    say(`| ${language} | ${pages.length} | ${figures.join(' | ')} |`)
  }
}

await main(process.argv.slice(2))
