import { createRefusalGate, soundsLikeRefusal, withoutMarkerWord } from '#bridge/answers/refusal.ts'
import { questionsIn, withoutCourtesies } from '#lexicon/asked.ts'
import { carryOver, isSmallTalk, mayDepend } from '#lexicon/follow-up.ts'
import { toOutline } from '#bridge/answers/outline.ts'
import { hasCitations } from '#bridge/answers/read-answer.ts'
import { readShelfQuestion } from '#bridge/answers/shelf-question.ts'
import { toParts } from '#bridge/answers/summary.ts'
import { soundsLikeQuestion } from '#bridge/answers/rewrite-question.ts'
import { hasWords } from '#bridge/files/ingest/upload-file.ts'
import { guessEncoding } from '#lib/decode.ts'
import { addressesIn, findAddresses } from '#bridge/references/addresses.ts'
import { withoutLinks } from '#bridge/references/link-syntax.ts'
import { settleLinks } from '#bridge/references/links.ts'
import { findQuote } from '#bridge/references/match-quote.ts'
import { timeIn } from '#bridge/references/place.ts'
import { resolveMarks } from '#bridge/references/marks.ts'
import { toLetters, toSourceText, toSpacedLetters } from '#bridge/references/source-text.ts'
import { createReferenceSplitter } from '#bridge/references/splitter.ts'
import { findSupport, readCitations } from '#bridge/references/support.ts'
import { languageOf, textsFor } from '#bridge/texts/texts.ts'
import { parseCorrection, toSpeech } from '#bridge/voice/transcript.ts'
import { toDisplayName, toFileName } from '#lib/file-kind.ts'
import { textLanguage } from '#lexicon/text-language.ts'
import { readableSentences, toSentences } from '#lexicon/sentences.ts'
import { withoutRowNote } from '#lib/table-rows.ts'
import { estimateTokens } from '#lib/tokens.ts'
import { buildPrompt, fitPassages } from '#platform/engine/answer/prompt.ts'
import { readTables } from '#platform/engine/answer/tables/read-tables.ts'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'
import { toFlatName } from '#platform/engine/api/file-format.ts'
import { chunkMarkdown, chunkPlainText, createPageChunker } from '#platform/engine/chunk/document.ts'
import { toQuestion } from '#platform/engine/search/question.ts'
import { detectLanguage } from '#platform/engine/text/languages.ts'
import { analyse } from '#platform/engine/text/terms.ts'
import { toDiscord, measure as measureDiscord } from '#adapters/discord/outbound/markup.ts'
import { mentionsOthers, toMarkdown } from '#adapters/slack/inbound/message.ts'
import { measure as measureSlack, splitUnfinished, toMrkdwn } from '#adapters/slack/outbound/markup.ts'
import { parseErrorBody } from '#platform/wire/errors.ts'
import { calendarToMarkdown } from '#platform/engine/convert/mail/calendar.ts'
import { readContacts } from '#platform/engine/convert/mail/contact.ts'
import { splitMailbox } from '#platform/engine/convert/mail/mailbox.ts'
import { readNotebook } from '#platform/engine/convert/office/notebook.ts'
import { readCsv } from '#platform/engine/convert/office/csv.ts'
import type { Source } from '#platform/engine/convert/reader.ts'
import { readRtf } from '#platform/engine/convert/rtf/rtf.ts'
import { htmlToMarkdown } from '#platform/engine/convert/web/html.ts'

const sourceOf = (text: string) =>
  ({ name: 'a', bytes: Buffer.from(text), query: {}, limits: { pages: 10 } }) as unknown as Source

/** A reader that refuses the text has read it, too. */
function read(reader: (source: Source) => Promise<unknown>, text: string): void {
  try {
    void reader(sourceOf(text)).catch(() => undefined)
  } catch {}
}

const author = { id: 'ana', name: 'Ana' }
const known = toSourceText('# Canteen\n\nThe canteen is open from nine to five.\n'.repeat(20))

export function splitAnswer(answer: string) {
  const splitter = createReferenceSplitter()
  splitter.push(answer)
  return splitter.end()
}

/** Functions that read what people, models and files say, by name. Each takes time in proportion to the text. */
export const TEXT_FUNCTIONS: Readonly<Record<string, (text: string) => unknown>> = {
  'answers: citations': hasCitations,
  'answers: parts to summarise': toParts,
  'addresses: find': findAddresses,
  'addresses: in': addressesIn,
  'links: settle': (text) => settleLinks(text, () => false),
  'links: without': withoutLinks,
  'references: split': splitAnswer,
  'references: split with a block': (text) => splitAnswer(`A [RREF1].\n\nReferences:\n\n[RREF1] ${text}`),
  'references: plain marks': (text) => resolveMarks(text, [{ number: 1, file: 'a.md' }]),
  'references: source text': toSourceText,
  'references: front matter': (text) => toSourceText(`---\n${text}`),
  'references: letters': toLetters,
  'references: spaced letters': toSpacedLetters,
  'references: body': (text) => findQuote(known, text),
  'references: file': (text) => findQuote({ ...known, letters: toLetters(text) }, known.letters),
  'references: support': (text) => findSupport(text.slice(0, text.length / 4), text.slice(0, 2000), 'When is it open?'),
  'references: citations': (text) => readCitations(`${text}[1] b [2]`)(2),
  'references: time': (text) => timeIn(text, 'x'),
  'files: words of a picture': hasWords,
  'files: encoding': (text) => guessEncoding(Buffer.from(text, 'utf16le')),
  'answers: word': withoutMarkerWord,
  'answers: refusal': soundsLikeRefusal,
  'answers: gate': (text) => createRefusalGate('refusal').push(text),
  'answers: question': soundsLikeQuestion,
  'answers: shelf': readShelfQuestion,
  'answers: outline': (text) => toOutline(text, textsFor('en')),
  'texts: language': (text) => languageOf({ author, text }),
  'voice: speech': toSpeech,
  'voice: typed': parseCorrection,
  'engine: markdown': chunkMarkdown,
  'engine: front matter': (text) => chunkMarkdown(`---\n${text}\n---\nThe canteen.\n`),
  'engine: plain text': chunkPlainText,
  'engine: page': (text) => createPageChunker()(1, text),
  'engine: language': detectLanguage,
  'engine: terms': (text) => ['en', 'de', 'und'].map((code) => analyse(text, code)),
  'engine: question': (text) => toQuestion(text, ['en', 'de'], { total: 10, found: () => 1 }),
  'engine: prompt': (text) => {
    const passage = { file: text, place: 'L1', headings: [text], lead: text, body: text, distance: 0, coverage: 1 }
    return buildPrompt([{ role: 'user', content: text }], fitPassages([passage], text.length * 9))
  },
  'engine: file name': (text) => {
    try {
      return toFlatName(text)
    } catch (error) {
      return error
    }
  },
  'engine: table': (text) => {
    const tables = readTables(`| a | b |\n|---|---|\n| ${text} | ${text.slice(0, 100)} |\n${text}`)
    return answerFromTables(text, [{ file: 'a.csv.md', tables }], 'en')
  },
  'lib: row note': (text) => withoutRowNote(`---\nrows: ${text}\n---\n`),
  'lexicon: courtesies': (text) => withoutCourtesies(text.slice(0, 2_000)),
  'lexicon: questions': (text) => questionsIn(text.slice(0, 2_000)),
  'lib: small talk': isSmallTalk,
  'lib: follow-up': mayDepend,
  'lib: earlier words': (text) => carryOver(`and ${text}`, [text, 'When does the ferry leave?']),
  'lib: file name': toFileName,
  'lib: display name': toDisplayName,
  'lib: language': textLanguage,
  'lib: sentences': (text) => toSentences(text),
  'lib: readable sentences': readableSentences,
  'lib: tokens': estimateTokens,
  'slack: markup': (text) => [toMrkdwn(text), measureSlack(text), splitUnfinished(text)],
  'slack: message': (text) => [toMarkdown(text, 'U1', new Map() as never), mentionsOthers(text, 'U1')],
  'discord: markup': (text) => [toDiscord(text), measureDiscord(text)],
  'wire: error body': parseErrorBody,
  'wire: error page': (text) => parseErrorBody(`<html><title>${text}`),
  'wire: error script': (text) => parseErrorBody(`<html><script>${text}`),
  'reader: html': (text) => htmlToMarkdown(text),
  'reader: rtf': (text) => read(readRtf, `{\\rtf1 ${text}}`),
  'reader: csv': (text) => read(readCsv, text),
  'reader: calendar': (text) =>
    calendarToMarkdown(`BEGIN:VEVENT\nSUMMARY:${text}\nATTENDEE${text}:${text}\n${text}\nEND:VEVENT`),
  'reader: contact': (text) => read(readContacts, `BEGIN:VCARD\nFN:${text}\nTEL;${text}:${text}\n${text}\nEND:VCARD`),
  'reader: mailbox': (text) => splitMailbox(Buffer.from(`From a 09:00:00 2026\n${text}\n\nFrom ${text}`)).length,
  'reader: notebook': (text) =>
    read(readNotebook, JSON.stringify({ cells: [{ cell_type: 'code', source: text, outputs: [{ text }] }] })),
}
