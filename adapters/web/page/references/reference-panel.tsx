import type { VNode } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { pageOf } from '#adapters/shared/page-pictures.ts'
import type { Reference } from '#adapters/web/protocol.ts'
import { api } from '../chat/api.ts'
import { Icon } from '../parts/icons.tsx'
import { PagePicture } from './page-picture.tsx'
import { Passage } from './passage.tsx'
import { texts } from '../texts.ts'
import { formatDay } from '../format.ts'

export interface OpenReference {
  readonly message: string
  readonly number: number
  /** All references of the same answer, for browsing. */
  readonly references: readonly Reference[]
  /** It was opened by a new answer: the focus stays where the person writes. */
  readonly follows?: true
}

interface ReferencePanelProps {
  /** Id of the open channel, whose files are meant unless the reference links elsewhere. */
  readonly channel: string
  readonly open: OpenReference
  /** Pages can be shown as pictures. */
  readonly pictures: boolean
  readonly onOpen: (reference: OpenReference) => void
  readonly onClose: () => void
}

/** Shows a reference: file, place and the verbatim passage. Escape closes it and returns the focus. */
export function ReferencePanel({ channel, open, pictures, onOpen, onClose }: ReferencePanelProps): VNode | null {
  const { references, number, message } = open
  const at = references.findIndex((reference) => reference.number === number)
  const reference = references[at]
  const { heading, close } = useFocusInside(`${message} ${number}`, onClose, open.follows)
  if (!reference) return null
  const dropped = fileChannel(channel, reference)
  const go = (by: number) => {
    const target = references[(at + by + references.length) % references.length]
    if (target) onOpen({ message, references, number: target.number })
  }
  return (
    <div
      class="panel"
      role="dialog"
      aria-labelledby="reference-title"
      data-testid="reference-panel"
      onKeyDown={(event) => {
        if (event.key === 'Escape') close()
        if (event.key === 'ArrowLeft') go(-1)
        if (event.key === 'ArrowRight') go(1)
      }}
    >
      <PanelHead at={at} count={references.length} onGo={go} onClose={close} />
      <h2 id="reference-title" ref={heading} tabIndex={-1}>
        <span class="reference-number">{number}</span>
        <span class="panel-file">{reference.file}</span>
      </h2>
      {reference.place && (
        <p class="panel-place" data-testid="reference-place">
          {reference.place}
        </p>
      )}
      <ReferenceSource channel={channel} reference={reference} onFollow={() => coversMessages() && onClose()} />
      {reference.passage ? (
        <blockquote class="passage" tabIndex={0} aria-label={texts.passage} data-testid="reference-passage">
          <Passage reference={reference} />
        </blockquote>
      ) : (
        <p class="quiet-word">{texts.noPassage}</p>
      )}
      {pictures && dropped !== undefined && (
        <PagePicture key={`${message} ${number}`} channel={dropped} message={message} reference={reference} />
      )}
    </div>
  )
}

interface PanelHeadProps {
  /** Index of the open reference. */
  readonly at: number
  readonly count: number
  readonly onGo: (by: number) => void
  readonly onClose: () => void
}

function PanelHead({ at, count, onGo, onClose }: PanelHeadProps): VNode {
  return (
    <header class="panel-head">
      <span class="quiet-word">{texts.ofReferences(at + 1, count)}</span>
      <span class="panel-buttons">
        {count > 1 && (
          <>
            <button type="button" class="icon-button" aria-label={texts.previous} onClick={() => onGo(-1)}>
              <Icon name="previous" />
            </button>
            <button type="button" class="icon-button" aria-label={texts.next} onClick={() => onGo(1)}>
              <Icon name="next" />
            </button>
          </>
        )}
        <button type="button" class="icon-button" aria-label={texts.close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </span>
    </header>
  )
}

/** On a narrow screen the panel covers the message that the link leads to. */
const coversMessages = () => matchMedia('(max-width: 1100px)').matches

/** Moves the focus to the heading of the opened panel (`shown` names it); on closing, back to its opener; with `stays` nothing moves. */
export function useFocusInside(shown: string, onClose: () => void, stays = false) {
  const heading = useRef<HTMLHeadingElement>(null)
  const opener = useRef<Element | null>(null)
  useLayoutEffect(() => {
    const active = document.activeElement
    const inside = heading.current?.closest('.panel')?.contains(active)
    if (inside || stays) return
    opener.current = active
    heading.current?.focus()
    active?.scrollIntoView({ block: 'nearest' })
  }, [heading, shown, stays])
  const close = () => {
    onClose()
    if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus()
  }
  return { heading, close }
}

interface ReferenceSourceProps {
  readonly channel: string
  readonly reference: Reference
  readonly onFollow: () => void
}

/** Version, person, date and permalink of the drop, and the file itself. */
function ReferenceSource({ channel, reference, onFollow }: ReferenceSourceProps): VNode {
  const { version = 1, droppedBy, droppedAt } = reference
  const target = reference.link === undefined ? undefined : toTarget(reference.link)
  const dropped = fileChannel(channel, reference)
  return (
    <div class="panel-source" data-testid="reference-source">
      <p>
        {version > 1 && <span class="version">{texts.version(version)}</span>}
        {droppedBy && <span>{texts.droppedBy(droppedBy)}</span>}
        {droppedAt && <time dateTime={droppedAt}>{formatDay(droppedAt)}</time>}
      </p>
      {dropped !== undefined && <OpenFile channel={dropped} reference={reference} />}
      {target && (
        <a
          class="panel-link"
          href={target.href}
          {...(target.outside && { target: '_blank', rel: 'noopener noreferrer' })}
          onClick={() => !target.outside && onFollow()}
        >
          <Icon name="reply" />
          {texts.toMessage}
        </a>
      )}
    </div>
  )
}

/** Opens the file in another tab; a PDF at the page of the reference. */
function OpenFile({ channel, reference }: { channel: string; reference: Reference }): VNode {
  const { file, version } = reference
  const page = pageOf(reference)
  const url = api.bytesUrl(channel, { name: file, ...(version !== undefined && { version: `${version}` }) })
  return (
    <a class="panel-link" href={page ? `${url}#page=${page}` : url} target="_blank" rel="noopener noreferrer">
      <Icon name="file" />
      {page ? texts.openAtPage(page) : texts.openFile}
    </a>
  )
}

/** The channel that the file was dropped in; undefined: in another chat service, a file of its name here is another. */
function fileChannel(channel: string, { link }: Reference): string | undefined {
  const target = link === undefined ? undefined : toTarget(link)
  if (target?.outside === true) return undefined
  return target === undefined ? channel : channelOf(target.href)
}

const channelOf = (hash: string) => decodeURIComponent(hash.slice(1).split('/', 1)[0] ?? '')

/** Links to messages of this page stay on the page; only http(s) links are followed. */
function toTarget(link: string): { readonly href: string; readonly outside: boolean } | undefined {
  const url = URL.parse(link, location.href)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  const here = url.pathname === '/' && /^#[^/]+\/[^/]+$/.test(url.hash)
  return here ? { href: url.hash, outside: false } : { href: url.href, outside: true }
}
