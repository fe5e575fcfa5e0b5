import type { IndexFile } from '#platform/engine/storage/types.ts'

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Tongue {
  readonly words: readonly string[]
  readonly small: readonly string[]
  readonly between: string
  readonly end: string
}

const tongues: readonly Tongue[] = [
  {
    words:
      'ferry harbour timetable canteen holiday printer garage laptop contract invoice meeting island engine captain ticket luggage departure weather season bridge'.split(
        ' ',
      ),
    small: ['the', 'of', 'and', 'is', 'with', 'which', 'was', 'not'],
    between: ' ',
    end: '. ',
  },
  {
    words:
      'Fähre Hafen Fahrplan Kantine Urlaub Drucker Garage Rechner Vertrag Rechnung Besprechung Insel Maschine Kapitän Fahrkarte Gepäck Abfahrt Wetter Jahreszeit Brücke'.split(
        ' ',
      ),
    small: ['der', 'die', 'und', 'ist', 'mit', 'nicht', 'wurde', 'das'],
    between: ' ',
    end: '. ',
  },
  {
    words:
      '渡輪 港口 時刻表 食堂 假期 打印機 車庫 電腦 合同 發票 會議 島嶼 引擎 船長 車票 行李 出發 天氣 季節 橋樑'.split(
        ' ',
      ),
    small: ['的', '在', '和', '是'],
    between: '',
    end: '。',
  },
  {
    words:
      'เรือข้ามฟาก ท่าเรือ ตารางเวลา โรงอาหาร วันหยุด เครื่องพิมพ์ โรงรถ คอมพิวเตอร์ สัญญา ใบแจ้งหนี้ การประชุม เกาะ เครื่องยนต์ กัปตัน ตั๋ว กระเป๋า อากาศ ฤดูกาล สะพาน'.split(
        ' ',
      ),
    small: ['และ', 'ที่', 'ของ', 'ใน'],
    between: '',
    end: ' ',
  },
]

export interface Corpus {
  /** Numbered from 1. */
  readonly files: readonly IndexFile[]
  readonly questions: readonly string[]
}

function createVoice({ words, small, between, end }: Tongue, random: () => number) {
  const pick = (list: readonly string[], power = 1) => list[Math.floor(random() ** power * list.length)] ?? ''
  const sentence = () => {
    const length = 4 + Math.floor(random() * 12)
    // Some words come more often than others, as in a language.
    const parts = Array.from({ length }, (_, at) => (at % 2 === 0 ? pick(small) : pick(words, 2)))
    const number = random() < 0.3 ? `${between}${Math.floor(random() * 500)}` : ''
    return `${parts.join(between)}${number}${end}`
  }
  const question = () => {
    const parts = Array.from({ length: 3 }, () => [pick(small), pick(words)]).flat()
    return parts.join(between)
  }
  return { pick: () => pick(words), sentence, question }
}

/** Some 250 chunks of English, German, Chinese and Thai, in files of a few sections, and questions about them. */
export async function writeCorpus(write: (name: string, text: string) => Promise<string>): Promise<Corpus> {
  const random = createRandom(20_260_101)
  const voices = tongues.map((tongue) => createVoice(tongue, random))
  const files: IndexFile[] = []
  for (let id = 1; id <= 40; id += 1) {
    const voice = voices[id % voices.length]
    if (voice === undefined) continue
    const sections = Array.from({ length: 2 + Math.floor(random() * 10) }, (_, at) => {
      const sentences = Array.from({ length: 3 + Math.floor(random() * 25) }, voice.sentence)
      return `## ${voice.pick()} ${at}\n\n${sentences.join('')}\n`
    })
    const name = `${voice.pick()}-${id}.md`
    // oxlint-disable-next-line no-await-in-loop -- a few small files
    const path = await write(`${id}.md`, `# ${voice.pick()}\n\n${sections.join('\n')}`)
    files.push({ id, revision: 1, name, source: { kind: 'markdown', path } })
  }
  const questions = voices.flatMap((voice) => Array.from({ length: 25 }, voice.question))
  return { files, questions }
}
