import { describe, expect, it } from 'vitest'
import type { Attachment, AttachmentKind, Message } from '../../src/bridge/message.ts'
import { route } from '../../src/bridge/route.ts'

const file = (kind: AttachmentKind, name = 'x'): Attachment => ({
  id: name,
  name,
  mimeType: '',
  kind,
  locator: name,
})
const message = (text: string, change: Partial<Message> = {}): Message => ({
  id: 'm',
  conversation: { adapter: 'fake', workspace: 'w', channel: 'c', direct: false },
  author: { id: 'u', name: 'U' },
  text,
  addressed: false,
  mentionsOthers: false,
  attachments: [],
  sentAt: '2026-11-21T08:00:00Z',
  ...change,
})

describe('route', () => {
  it('leaves talk among people alone', () => {
    expect(route(message('Lunch?'), false)).toBeUndefined()
    expect(route(message('', { attachments: [file('image')] }), false)).toBeUndefined()
    expect(route(message('Look', { attachments: [file('other')] }), false)).toBeUndefined()
  })

  it('answers a mention, and a follow-up in a thread where something was asked', () => {
    expect(route(message('Why?', { addressed: true }), false)).toEqual({ files: [], question: 'Why?' })
    expect(route(message('And then?'), true)).toEqual({ files: [], question: 'And then?' })
  })

  it('leaves a follow-up alone that speaks to somebody else, unless it speaks to us too', () => {
    expect(route(message('@Ben, you?', { mentionsOthers: true }), true)).toBeUndefined()
    expect(route(message('@Ben says no', { mentionsOthers: true, addressed: true }), true)).toMatchObject({
      question: '@Ben says no',
    })
  })

  it('takes a dropped document without any word, and a question beside it', () => {
    const pdf = file('document', 'a.pdf')
    expect(route(message('', { attachments: [pdf] }), false)).toEqual({ files: [pdf] })
    expect(route(message('the new one', { attachments: [pdf] }), false)).toEqual({ files: [pdf] })
    expect(route(message('Sum it up', { attachments: [pdf], addressed: true }), false)).toEqual({
      files: [pdf],
      question: 'Sum it up',
    })
  })

  it('takes a recording without words as a request, also where it was not addressed', () => {
    const memo = file('voice')
    expect(route(message('', { attachments: [memo] }), false)).toEqual({ files: [], memo })
    expect(route(message('listen to this', { attachments: [memo] }), false)).toBeUndefined()
  })

  it('gives a receipt for a picture only when it was handed to us', () => {
    const image = file('image', 'a.png')
    expect(route(message('', { attachments: [image], addressed: true }), false)).toMatchObject({
      files: [image],
    })
  })

  it('says of what can never be read that it can’t be, beside other files and where nothing is said with it', () => {
    const [pdf, archive] = [file('document', 'a.pdf'), file('other', 'b.zip')]
    expect(route(message('here', { attachments: [pdf, archive] }), false)).toEqual({ files: [pdf, archive] })
    expect(route(message('', { attachments: [archive] }), false)).toEqual({ files: [archive] })
    const clip = { ...file('other', 'party.mp4'), mimeType: 'video/mp4' }
    expect(route(message('', { attachments: [clip] }), false)).toBeUndefined()
  })

  it('takes what an adapter does not know for a document where its name tells that it is one', () => {
    const book = file('other', 'plan.ipynb')
    expect(route(message('the new plan', { attachments: [book] }), false)).toEqual({ files: [book] })
  })

  it('knows the switch, the help, and shows the help when called with nothing', () => {
    expect(route(message('Files off', { addressed: true }), false)).toEqual({
      files: [],
      command: { name: 'files-off', argument: '' },
    })
    expect(route(message('files on', { addressed: true }), false)).toEqual({
      files: [],
      command: { name: 'files-on', argument: '' },
    })
    expect(route(message(' ', { addressed: true }), false)).toEqual({
      files: [],
      command: { name: 'help', argument: '' },
    })
    expect(route(message('files off'), false)).toBeUndefined()
  })

  it('takes a picture beside a question for the question, also in a follow-up, and one without for a document', () => {
    const picture = file('image', 'shot.png')
    const plan = file('document', 'plan.md')
    const asked = message('What is it?', { addressed: true, attachments: [picture, plan] })
    expect(route(asked, false)).toEqual({ files: [plan], pictures: [picture], question: 'What is it?' })
    const followUp = message('And this?', { attachments: [picture] })
    expect(route(followUp, true)).toEqual({ files: [], pictures: [picture], question: 'And this?' })
    expect(route(message('', { addressed: true, attachments: [picture] }), false)).toEqual({
      files: [picture],
    })
    const command = message('files', { addressed: true, attachments: [picture] })
    expect(route(command, false)).toMatchObject({ files: [picture], command: { name: 'files' } })
  })
})
