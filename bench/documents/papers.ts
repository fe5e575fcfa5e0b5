import { english } from './english.ts'
import { further } from './further.ts'
import { german } from './german.ts'
import { romance } from './romance.ts'

export interface Section {
  readonly heading: string
  /** Sentences, or rows with ` | ` between the cells. */
  readonly lines: readonly string[]
}

export interface Paper {
  /** With its extension, which says what it is made as. */
  readonly name: string
  readonly title: string
  readonly sections: readonly Section[]
  readonly raw: string
}

function toPaper([name, raw]: readonly [string, string]): Paper {
  const [title = '', ...rest] = raw.split(/\n## /)
  const sections = rest.map((part) => {
    const [heading = '', ...lines] = part.split('\n')
    return { heading, lines }
  })
  return { name, title, sections, raw }
}

/** All papers of the house: 35, in ten formats and nine languages. */
export const papers: readonly Paper[] = Object.entries({ ...english, ...german, ...romance, ...further }).map(toPaper)
