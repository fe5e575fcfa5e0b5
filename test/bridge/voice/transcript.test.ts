import { parseCaptions, parseCorrection, toTimedLines, toSpeech, toTime } from '#bridge/voice/transcript.ts'
import { textLanguage } from '#lexicon/text-language.ts'
import { toLanguageCode } from '#lib/language.ts'
import { describe, expect, it } from 'vitest'

const segments = [
  { startMs: 0, endMs: 12_400, text: ' Where is the ferry?' },
  { startMs: 12_400, endMs: 65_000, text: ' And when does it leave?' },
]

describe('a transcript', () => {
  it('has times where the recording is long enough to get lost in', () => {
    expect(toTimedLines('All of it', segments)).toBe('`0:00` Where is the ferry?  \n`0:12` And when does it leave?')
    expect(toTimedLines('Short', [{ startMs: 0, endMs: 9000, text: 'Short' }])).toBe('Short')
    expect(toTimedLines('No times')).toBe('No times')
    expect([0, 59_999, 61_000, 3_723_000].map(toTime)).toEqual(['0:00', '0:59', '1:01', '1:02:03'])
  })

  it('of a chat service is its words with their times, whatever stands around them', () => {
    const captions =
      '\uFEFFWEBVTT \r\n\r\nNOTE x\r\n\r\n1\r\n00:00:01.500 --> 00:00:03.000 align:start\r\n- Where is it?\r\n\r\n01:00.000 --> 01:02.250\r\nAnd when?\r\n'
    expect(parseCaptions(captions)).toEqual({
      text: 'Where is it? And when?',
      segments: [
        { startMs: 1500, endMs: 3000, text: 'Where is it?' },
        { startMs: 60_000, endMs: 62_250, text: 'And when?' },
      ],
    })
    expect(parseCaptions('Only words.')).toEqual({ text: 'Only words.', segments: [] })
    expect(parseCaptions('WEBVTT\n\n').text).toBe('')
  })

  it.each([
    ['🎙️ “Where is the ferry?”', 'Where is the ferry?'],
    ['✏️ „Wo ist die Fähre?“', 'Wo ist die Fähre?'],
    ['🎙️ “`0:00` Where is it?  \n`0:12` And when?”', 'Where is it? And when?'],
    ['  Where is pier 7?  ', 'Where is pier 7?'],
    ['Read "Animal Farm" aloud', 'Read "Animal Farm" aloud'],
    ['Read "Animal Farm"', 'Read "Animal Farm"'],
    ['🎙️ “”', ''],
  ])('that somebody typed over is taken without what was around the words: %s', (typed, words) => {
    expect(parseCorrection(typed)).toBe(words)
  })
})

describe('the language', () => {
  it.each([
    ['Der Hafen ist im Winter geschlossen, und die Fähre fährt nicht von dem Steg an der Mole.', 'de'],
    ['The harbour is closed in winter, and the ferry does not leave from the pier at the mole.', 'en'],
    ['Le port est fermé en hiver, et les bateaux ne partent pas de la jetée dans cette saison.', 'fr'],
    ['El puerto está cerrado en invierno, y los barcos no salen del muelle hasta la primavera.', 'es'],
    ['Порт закрыт зимой, и паром не отходит от седьмого причала до самой весны каждого года.', 'ru'],
    ['港は冬の間は閉まっていて、フェリーは春まで第七埠頭から出発しません。詳しくは事務所でお尋ねください。', 'ja'],
    [
      '港口在冬季关闭，渡轮要到春天才从七号码头出发。详情请到办公室询问工作人员，或者查看公告栏上的时间表，谢谢。',
      'zh',
    ],
  ])('of a text is told: %s', (text, language) => {
    expect(textLanguage(text)).toBe(language)
  })

  it('is not told of a few words, numbers or names', () => {
    expect(textLanguage('Pier 7, 9:40')).toBeUndefined()
    expect(textLanguage('Anna Berg Chen Diaz Evans Fischer Garcia Hansen Ivanov Jansen Kovacs')).toBeUndefined()
  })

  it('of a recording comes as a code or as an English name', () => {
    expect(['german', 'German', 'de', 'de-DE', 'en_US'].map(toLanguageCode)).toEqual(['de', 'de', 'de', 'de', 'en'])
    expect(toLanguageCode('klingon')).toBeUndefined()
    expect(toLanguageCode(undefined)).toBeUndefined()
  })
})

describe('an answer that is read out', () => {
  it('has no marks, markup, code or addresses in it', () => {
    const answer =
      '## Ferry\n\nIt leaves at **9:40** [1][2] from `pier 7`, see [the plan](https://x.example/a).\n\n- daily\n- not on Monday [3].\n\n```js\nrun()\n```\nMore at https://x.example/b'
    expect(toSpeech(answer)).toBe(
      'Ferry\n\nIt leaves at 9:40 from pier 7, see the plan.\n\ndaily\nnot on Monday.\n\nMore at',
    )
  })

  it('ends after a sentence where it is too long', () => {
    const spoken = toSpeech('This is a sentence. '.repeat(400))
    expect(spoken.length).toBeLessThanOrEqual(4096)
    expect(spoken.endsWith('sentence.')).toBe(true)
  })
})
