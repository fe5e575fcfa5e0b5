import Pdf from 'pdfkit'

const nouns = ['harbour', 'lantern', 'keeper', 'ferry', 'gallery', 'storm', 'council', 'signal', 'anchor', 'cliff']
const verbs = ['watches', 'repairs', 'follows', 'describes', 'guards', 'measures', 'paints', 'crosses']
const places = ['at the pier', 'in the tower', 'on the island', 'behind the dunes', 'near the old market']

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T

/** A sentence with words of its own, so that each can be asked for. */
function sentence(index: number): string {
  const [noun, verb, other] = [pick(nouns, index), pick(verbs, index >> 1), pick(nouns, (index >> 2) + 3)]
  return `The ${noun} number n${index} ${verb} the ${other} ${pick(places, index >> 3)} since ${1800 + (index % 200)}.`
}

const sentencesOnPage = 22

/** A PDF with text on each page; `seed` makes it another file. */
export function makePdf(pages: number, seed: number): Promise<Buffer> {
  const document = new Pdf({ autoFirstPage: false })
  const parts: Buffer[] = []
  const done = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (part: Buffer) => parts.push(part))
    document.on('end', () => resolve(Buffer.concat(parts)))
    document.on('error', reject)
  })
  for (let page = 0; page < pages; page += 1) {
    const from = (seed * pages + page) * sentencesOnPage
    const text = Array.from({ length: sentencesOnPage }, (_, index) => sentence(from + index)).join(' ')
    document.addPage()
    document
      .fontSize(18)
      .text(`Chapter ${page + 1}`)
      .moveDown()
      .fontSize(11)
      .text(text)
  }
  document.end()
  return done
}
