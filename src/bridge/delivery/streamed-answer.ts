import type { Adapter, AnswerStream } from '../port/adapter.ts'
import { AdapterError } from '../port/errors.ts'
import type { Action, Author, MessageRef, Reference } from '../port/message.ts'
import type { Clock, Log } from '../port/platform.ts'
import type { Content, Sender } from './outbox-sender.ts'
import { splitMarkdown, splitOnce } from './split.ts'

/** How an answer ends. */
export interface Ending {
  readonly kind: 'answer' | 'notice' | 'error'
  /** The whole text, marks resolved. */
  readonly text: string
  readonly references?: readonly Reference[]
  /** Under the last of its messages. */
  readonly actions?: readonly Action[]
}

/**
 * Delivers one answer while it is being written: natively streamed where the service can, else posted and edited, else
 * posted at the end. An answer over the limit goes on in the next message; nothing is ever cut off.
 */
export interface Reply {
  /** More visible text. Returns at once; delivery goes on beside it. */
  push(text: string): void
  /** True once anything is on its way to be seen. */
  readonly begun: boolean
  /** Everything pushed so far. */
  readonly text: string
  /** Shows the final text and closes the rows; rejects with the first error of delivery. Returns the messages. */
  finish(ending: Ending): Promise<readonly MessageRef[]>
  /** Waits for calls under way and leaves what is shown as it is. */
  settle(): Promise<void>
}

interface Part {
  readonly slot: string
  /** What this message has to show. */
  source: string
  /** What it shows. */
  shown: string
  ref?: MessageRef
  stream?: AnswerStream
  openedAt: number
  editedAt: number
  /** It was shown with what belongs under the answer. */
  ended: boolean
}

export function createReply(options: {
  readonly adapter: Adapter
  readonly sender: Sender
  readonly asker: Author
  readonly clock: Clock
  readonly log: Log
  /** Messages that stand there from before a restart: they are written over, not doubled. */
  readonly resumed: readonly { readonly slot: string; readonly ref?: MessageRef }[]
}): Reply {
  const { adapter, sender, asker, clock, log } = options
  const { limits } = adapter
  const parts: Part[] = []
  let text = ''
  let unplaced = ''
  let pump: Promise<void> | undefined
  let failure: unknown
  let finishing = false
  // A resumed answer is written over once it is whole: what stands there must not shrink and grow again before people.
  const isResumed = options.resumed.length > 0
  let native = adapter.stream !== undefined && !isResumed
  let wake: (() => void) | undefined
  const limit = () => ({
    limit: native && limits.stream ? limits.stream.textLength : limits.textLength,
    measure: limits.measure,
  })
  const content = (part: Part): Content => ({ kind: 'answer', text: part.source })

  function addPart(source: string): Part {
    const slot = `answer.${parts.length}`
    const ref = options.resumed.find((row) => row.slot === slot)?.ref
    const part: Part = {
      slot,
      source,
      shown: '',
      openedAt: 0,
      editedAt: 0,
      ended: false,
      ...(ref ? { ref } : {}),
    }
    parts.push(part)
    return part
  }

  async function display(part: Part): Promise<void> {
    if (part.source === part.shown || part.source.trim() === '') return
    if (part.stream) return append(part, part.stream)
    if (part.ref === undefined && native) return openStream(part)
    if (part.ref === undefined && adapter.edit === undefined) return
    if (part.shown !== '' && !finishing) await pause(part.editedAt + limits.editIntervalMs - clock())
    // The last text comes with what belongs under it, in one edit that no pace holds back.
    if (finishing) return
    const source = part.source
    part.ref = await sender.show(part.slot, { ...content(part), text: source })
    part.shown = source
    part.editedAt = clock()
  }

  async function openStream(part: Part): Promise<void> {
    const source = part.source
    try {
      part.stream = await sender.open(part.slot, content(part), (outgoing) => {
        if (adapter.stream === undefined) throw new AdapterError('invalid', 'This service has no streams.')
        return adapter.stream(sender.conversation, outgoing, asker)
      })
    } catch (error) {
      if (!(error instanceof AdapterError)) throw error
      log.warn({ err: error }, 'No native stream here; going on with a message that is edited')
      native = false
      return display(part)
    }
    part.ref = part.stream.ref
    part.shown = source
    part.openedAt = clock()
  }

  async function append(part: Part, stream: AnswerStream): Promise<void> {
    const source = part.source
    try {
      await stream.append(source.slice(part.shown.length))
      part.shown = source
      const expired = clock() - part.openedAt > (limits.stream?.lifetimeMs ?? Infinity)
      if (expired && !finishing) await endStream(part, content(part))
    } catch (error) {
      if (!(error instanceof AdapterError) || error.code !== 'stream-closed') throw error
      // The service ended the stream: the same message goes on by edits.
      delete part.stream
      return display(part)
    }
  }

  async function endStream(part: Part, last: Content): Promise<void> {
    const { stream } = part
    if (stream === undefined) return
    delete part.stream
    try {
      await stream.finish(sender.outgoing(part.slot, last))
      part.shown = last.text
    } catch (error) {
      if (!(error instanceof AdapterError) || error.code !== 'stream-closed') throw error
      part.shown = ''
    }
  }

  /** Puts new text where it belongs: the open message, and the next ones when it is full. */
  async function place(): Promise<void> {
    while (unplaced !== '') {
      let part = parts.at(-1) ?? addPart('')
      part.source += unplaced
      unplaced = ''
      for (;;) {
        const min = part.stream ? part.shown.length : 0
        const cut = splitOnce(part.source, { ...limit(), min })
        if (cut === undefined) break
        part.source = cut.head
        await display(part)
        await endStream(part, content(part))
        part = addPart(cut.rest)
      }
      await display(part)
    }
  }

  async function pause(ms: number): Promise<void> {
    if (ms <= 0) return
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      wake = resolve
      timer = setTimeout(resolve, ms)
    })
    clearTimeout(timer)
  }

  function start(): void {
    if (pump !== undefined || failure !== undefined || isResumed) return
    pump = place()
      .catch((error: unknown) => {
        failure = error
      })
      .finally(() => {
        pump = undefined
        if (unplaced !== '') start()
      })
  }

  async function settle(): Promise<void> {
    finishing = true
    wake?.()
    while (pump !== undefined) await pump
  }

  /** Makes the messages show exactly these texts: what differs is edited, what is missing posted, what is over removed. */
  async function reconcile(targets: readonly string[], ending: Ending): Promise<readonly MessageRef[]> {
    const refs: MessageRef[] = []
    for (const [index, target] of targets.entries()) {
      const part = parts[index] ?? addPart(target)
      const isLast = index === targets.length - 1
      const last: Content = {
        kind: ending.kind,
        text: target,
        ...(isLast && ending.references ? { references: ending.references } : {}),
        ...(isLast && ending.actions ? { actions: ending.actions } : {}),
      }
      if (part.stream && target.startsWith(part.shown)) {
        await endStream(part, last)
        part.ended = part.shown === target
      } else await endStream(part, { kind: ending.kind, text: part.shown })
      const plain = (last.references ?? []).length === 0 && last.actions === undefined
      const ref = part.shown === target && (plain || part.ended) ? part.ref : undefined
      part.ref = ref ?? (await sender.show(part.slot, last))
      part.shown = target
      refs.push(part.ref)
    }
    for (const surplus of await surplusSlots(targets.length)) await sender.remove(surplus)
    // The first row is closed last: closed means that the whole answer is out.
    for (const [index, target] of [...targets.entries()].toReversed()) {
      await sender.close(`answer.${index}`, target)
    }
    return refs
  }

  async function surplusSlots(count: number): Promise<readonly string[]> {
    const rows = await sender.rows()
    return rows
      .map(({ slot }) => slot)
      .filter((slot) => slot.startsWith('answer.') && Number(slot.slice('answer.'.length)) >= count)
  }

  return {
    push(piece) {
      if (piece === '') return
      text += piece
      unplaced += piece
      start()
    },
    get begun() {
      return text.trim() !== ''
    },
    get text() {
      return text
    },
    settle,
    async finish(ending) {
      await settle()
      if (failure !== undefined) throw failure
      const streamed = parts.map(({ source }) => source)
      // Parts that were closed while streaming stay as they are when the final text is what was streamed.
      const same = ending.text.trimEnd() === text.trimEnd() && streamed.length > 0
      return reconcile(same ? streamed : splitMarkdown(ending.text, limit()), ending)
    },
  }
}
