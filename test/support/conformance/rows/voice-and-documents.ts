import assert from 'node:assert/strict'
import { conversionResult } from '#platform/wire/documents.ts'
import { DEFAULT_TRANSCRIPTION_MODEL } from '#platform/wire/voice.ts'
import { makePicture, makePictureDocument } from '../picture-document.ts'
import { everywhere, onlyOurs, type Row } from '../row.ts'
import { toForm } from '../session.ts'
import { makeTone } from '../tone.ts'

const voice = ['transcriptions', 'translations'] as const

export const voiceAndDocumentRows: readonly Row[] = [
  everywhere([2, 118], 'a recording is transcribed and translated to text', async (s) => {
    for (const task of voice) {
      const form = toForm('file', 'memo.wav', makeTone(), { model: s.target.speechModel })
      const reply = await s.call('POST', s.paths[task], { form })
      assert.equal(reply.status, 200, reply.text)
      assert.equal(typeof (reply.json as { text: unknown }).text, 'string')
    }
  }),
  onlyOurs(
    [118],
    'language and prompt reach the model server, and its words come back in each format',
    async (s, { upstream }) => {
      for (const [format, expected] of [
        ['json', /^\{"text":"buy bread"\}$/],
        ['text', /^buy bread\s*$/],
        ['srt', /^1\r?\n00:00:00,000 --> 00:00:01,000\r?\nbuy bread\s*$/],
        ['verbose_json', /"text":"buy bread"/],
        ['vtt', /^WEBVTT\s+(00:)?00:00\.000 --> (00:)?00:01\.000\r?\nbuy bread\s*$/],
      ] as const) {
        upstream.script({ kind: 'transcript', text: 'buy bread' })
        const fields = { model: DEFAULT_TRANSCRIPTION_MODEL, response_format: format, language: 'en', prompt: 'bread' }
        const form = toForm('file', 'memo.wav', makeTone(), fields)
        assert.match((await s.call('POST', s.paths.transcriptions, { form })).text, expected)
        assert.partialDeepStrictEqual(upstream.requests.at(-1)?.fields, { language: 'en', prompt: 'bread' })
      }
    },
  ),
  everywhere([3, 64, 120, 121], 'a document is converted to markdown by POST, with a list of images', async (s) => {
    const page = '<html><body><h2>Ferry</h2><p>Leaves at <b>9:40</b>.</p></body></html>'
    const reply = await s.call('POST', s.paths.convert, { form: toForm('document', 'p.html', page) })
    assert.equal(reply.status, 200, reply.text)
    const result = reply.json as { markdown?: string; images?: unknown }
    assert.match(result.markdown ?? '', /## Ferry\s+Leaves at \*\*9:40\*\*/)
    assert.ok(Array.isArray(result.images))
  }),
  everywhere([3, 65, 66], 'an image of a document comes with file name, type and base64 under image', async (s) => {
    const form = toForm('document', 'picture.pdf', await makePictureDocument())
    const reply = await s.call('POST', s.paths.convert, { form })
    assert.equal(reply.status, 200, reply.text)
    const [image] = (reply.json as { images: Record<string, string>[] }).images
    assert.ok(image !== undefined, 'the document holds an image')
    assert.match(image['filename'] ?? '', /\.\w+$/)
    assert.ok((image['type'] ?? '').length > 0)
    assert.ok(!('data' in image))
    const bytes = Buffer.from(image['image'] ?? '', 'base64')
    assert.ok(bytes.length > 50 && bytes.toString('base64') === image['image'])
    assert.equal(bytes.subarray(1, 4).toString('latin1') === 'PNG', makePicture()[1] === 0x50)
  }),
  onlyOurs([67], 'response_type chooses the field that holds the content', async (s) => {
    for (const [type, field] of [
      ['markdown', 'markdown'],
      ['html', 'html'],
      ['json', 'json_data'],
      ['tokens', 'tokens'],
    ] as const) {
      const form = toForm('document', 'a.md', '# A\n\ntext')
      const reply = await s.call('POST', `${s.paths.convert}?response_type=${type}`, { form })
      const result = conversionResult.strict().parse(reply.json)
      assert.partialDeepStrictEqual(result, { filename: 'a.md', response_type: type })
      assert.ok(result[field] !== undefined)
    }
    const wrong = `${s.paths.convert}?response_type=docx`
    assert.equal((await s.call('POST', wrong, { form: toForm('document', 'a.md', '# A') })).status, 422)
  }),
]
