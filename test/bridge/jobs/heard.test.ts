import { describe, expect, it } from 'vitest'
import type { ChannelSettings } from '#bridge/channels/settings.ts'
import { createRegistry } from '#bridge/features/registry.ts'
import { rowFor } from '#bridge/jobs/handlers.ts'
import {
  type Follower,
  hasFiles,
  hear,
  isBareMention,
  isCommand,
  isMisplaced,
  isOverheard,
  isPaste,
  isQuestion,
  isRecording,
  isRecordingAmongPeople,
} from '#bridge/jobs/heard.ts'
import type { Attachment, AttachmentKind, Message } from '#bridge/port/message.ts'
import type { JobServices } from '#bridge/features/feature.ts'

// The services are used only by commands that run.
const { parse } = createRegistry({} as JobServices)

/** The row of the table, and what it is done with. Undefined: talk among people. */
function route(message: Message, follower: Follower | undefined, listens?: ChannelSettings['listens']) {
  const heard = hear(message, { follower, parse, listens })
  const when = rowFor('message', heard)?.when
  return when && { when, ...heard }
}

const file = (kind: AttachmentKind, name = 'x'): Attachment => ({ id: name, name, mimeType: '', kind, locator: name })
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

const listening = (listens: ChannelSettings['listens'], one: Message, follower?: Follower) =>
  route(one, follower, listens)

describe('route by the settings of a channel', () => {
  const inThread = { adapter: 'fake', workspace: 'w', channel: 'c', thread: 't', direct: false }

  it('hears every question where that was chosen, quietly, and no remark', () => {
    expect(listening('questions', message('Why is that?'))).toMatchObject({ when: isOverheard, files: [] })
    expect(listening('questions', message('Lunch is ready'))).toBeUndefined()
    expect(listening('questions', message('Why?', { mentionsOthers: true }))).toBeUndefined()
    expect(listening('questions', message('Why?', { addressed: true }))).toMatchObject({
      when: isQuestion,
      files: [],
      question: 'Why?',
    })
  })

  it('hears mentions alone where that was chosen', () => {
    expect(listening('mentions', message('And then?'), 'asker')).toBeUndefined()
    expect(listening('mentions', message('And then?', { addressed: true }), 'asker')).toMatchObject({
      question: 'And then?',
    })
  })

  it('answers inside threads alone where that was chosen, and takes files and commands anywhere', () => {
    expect(listening('threads', message('Why?', { addressed: true }))).toMatchObject({ when: isMisplaced, files: [] })
    expect(listening('threads', message('files', { addressed: true }))).toMatchObject({ command: { name: 'files' } })
    expect(listening('threads', message('Why?', { addressed: true, conversation: inThread }))).toMatchObject({
      question: 'Why?',
    })
  })
})

describe('route', () => {
  it.each(['\u200Bfiles', 'files\u2060', '\uFEFF files \u200B\n'])(
    'knows a command beside invisible characters: %j',
    (text) => {
      expect(listening('mentions', message(text, { addressed: true }))).toMatchObject({ command: { name: 'files' } })
    },
  )

  it('takes no closing for a question, unless it is said to us', () => {
    for (const text of ['Thanks, see you', 'Danke dir, bis morgen!']) {
      expect(route(message(text), 'asker')).toBeUndefined()
      expect(route(message(text, { replyTo: 'm0' }), 'bystander')).toBeUndefined()
      expect(route(message(text, { addressed: true }), 'asker')).toMatchObject({ question: text })
    }
    expect(route(message('Thanks, and then?'), 'asker')).toMatchObject({ question: 'Thanks, and then?' })
    const files = [file('document')]
    expect(route(message('Thanks, see you', { attachments: files }), 'asker')).toMatchObject({ when: hasFiles, files })
  })

  it('leaves talk among people alone', () => {
    expect(route(message('Lunch?'), undefined)).toBeUndefined()
    const clip = { ...file('image', 'cat.gif'), mimeType: 'image/gif' }
    expect(route(message('', { attachments: [clip] }), undefined)).toBeUndefined()
    expect(route(message('Look', { attachments: [file('other')] }), undefined)).toBeUndefined()
  })

  it('answers a mention, and a follow-up in a thread where something was asked', () => {
    expect(route(message('Why?', { addressed: true }), undefined)).toMatchObject({
      when: isQuestion,
      files: [],
      question: 'Why?',
    })
    expect(route(message('And then?'), 'asker')).toMatchObject({ when: isQuestion, files: [], question: 'And then?' })
  })

  it('leaves alone what a bystander states in such a thread, and hears what they ask, reply or command', () => {
    expect(route(message('I agree with that.'), 'bystander')).toBeUndefined()
    expect(route(message('And on Sundays?'), 'bystander')).toMatchObject({ question: 'And on Sundays?' })
    expect(route(message('Not on Mondays', { replyTo: 'm0' }), 'bystander')).toMatchObject({
      question: 'Not on Mondays',
    })
    expect(route(message('files'), 'bystander')).toMatchObject({ command: { name: 'files' } })
    expect(route(message('Only on Mondays.', { addressed: true }), 'bystander')).toMatchObject({
      question: 'Only on Mondays.',
    })
  })

  it('leaves a follow-up alone that speaks to somebody else, unless it speaks to us too', () => {
    expect(route(message('@Ben, you?', { mentionsOthers: true }), 'asker')).toBeUndefined()
    expect(route(message('@Ben says no', { mentionsOthers: true, addressed: true }), 'asker')).toMatchObject({
      question: '@Ben says no',
    })
  })

  it('takes a dropped document without any word, and a question beside it', () => {
    const pdf = file('document', 'a.pdf')
    expect(route(message('', { attachments: [pdf] }), undefined)).toMatchObject({ when: hasFiles, files: [pdf] })
    expect(route(message('the new one', { attachments: [pdf] }), undefined)).toMatchObject({
      when: hasFiles,
      files: [pdf],
    })
    expect(route(message('Sum it up', { attachments: [pdf], addressed: true }), undefined)).toMatchObject({
      when: isQuestion,
      files: [pdf],
      question: 'Sum it up',
    })
  })

  it('takes a recording without words as a request, also where it was not addressed', () => {
    const voiceMessage = file('voice')
    expect(route(message('', { attachments: [voiceMessage] }), undefined)).toMatchObject({
      when: isRecording,
      files: [],
      sounds: [voiceMessage],
    })
    expect(route(message('listen to this', { attachments: [voiceMessage] }), undefined)).toBeUndefined()
  })

  it('offers to answer a recording among people, and answers one that is meant for us', () => {
    const recording = { attachments: [file('voice')], isAmongPeople: true }
    expect(route(message('', recording), undefined)).toMatchObject({ when: isRecordingAmongPeople })
    expect(route(message('', { ...recording, addressed: true }), undefined)).toMatchObject({ when: isRecording })
    expect(route(message('', recording), 'bystander')).toMatchObject({ when: isRecording })
    expect(listening('questions', message('', recording))).toMatchObject({ when: isRecording })
  })

  it('finds the question in a text that the client made a file of, where it is said to us alone', () => {
    const paste = { ...file('document', 'message.txt'), isPaste: true as const }
    const addressed = message('', { attachments: [paste], addressed: true })
    expect(route(addressed, undefined)).toMatchObject({ when: isPaste, files: [paste] })
    expect(route({ ...addressed, addressed: false }, undefined)).toMatchObject({ when: hasFiles, files: [paste] })
    expect(route({ ...addressed, text: 'Sum it up' }, undefined)).toMatchObject({ when: isQuestion, files: [paste] })
  })

  it('takes a picture for a document, as it may be a scan or a screenshot', () => {
    const image = file('image', 'a.png')
    expect(route(message('', { attachments: [image], addressed: true }), undefined)).toMatchObject({ files: [image] })
    expect(route(message('The letter', { attachments: [image] }), undefined)).toMatchObject({
      when: hasFiles,
      files: [image],
    })
  })

  it('says of what can never be read that it can’t be, beside other files and where nothing is said with it', () => {
    const [pdf, archive] = [file('document', 'a.pdf'), file('other', 'b.zip')]
    expect(route(message('here', { attachments: [pdf, archive] }), undefined)).toMatchObject({
      when: hasFiles,
      files: [pdf, archive],
    })
    expect(route(message('', { attachments: [archive] }), undefined)).toMatchObject({
      when: hasFiles,
      files: [archive],
    })
    const clip = { ...file('other', 'party.mp4'), mimeType: 'video/mp4' }
    expect(route(message('', { attachments: [clip] }), undefined)).toBeUndefined()
  })

  it('takes what an adapter does not know for a document where its name tells that it is one', () => {
    const book = file('other', 'plan.ipynb')
    expect(route(message('the new plan', { attachments: [book] }), undefined)).toMatchObject({
      when: hasFiles,
      files: [book],
    })
  })

  it('knows the switch, the help, and shows the help when called with nothing', () => {
    expect(route(message('Files off', { addressed: true }), undefined)).toMatchObject({
      when: isCommand,
      files: [],
      command: { name: 'files-off', argument: '' },
    })
    expect(route(message('files on', { addressed: true }), undefined)).toMatchObject({
      when: isCommand,
      files: [],
      command: { name: 'files-on', argument: '' },
    })
    expect(route(message(' ', { addressed: true }), undefined)).toMatchObject({ when: isBareMention, files: [] })
    expect(route(message('files off'), undefined)).toBeUndefined()
  })

  it('takes a picture beside a question for the question, also in a follow-up, and one without for a document', () => {
    const picture = file('image', 'shot.png')
    const plan = file('document', 'plan.md')
    const asked = message('What is it?', { addressed: true, attachments: [picture, plan] })
    expect(route(asked, undefined)).toMatchObject({ files: [plan], pictures: [picture], question: 'What is it?' })
    const followUp = message('And this?', { attachments: [picture] })
    expect(route(followUp, 'asker')).toMatchObject({ files: [], pictures: [picture], question: 'And this?' })
    expect(route(message('', { addressed: true, attachments: [picture] }), undefined)).toMatchObject({
      when: hasFiles,
      files: [picture],
    })
    const command = message('files', { addressed: true, attachments: [picture] })
    expect(route(command, undefined)).toMatchObject({ files: [picture], command: { name: 'files' } })
  })
})
