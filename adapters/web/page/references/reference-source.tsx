import type { VNode } from 'preact'
import type { Reference } from '../../protocol.ts'
import { formatDay } from '../format.ts'
import { Icon } from '../shell/icons.tsx'
import { texts } from '../texts.ts'

/** Which version, who dropped it, when, and the way to the message. */
export function ReferenceSource({
  reference,
  onFollow,
}: {
  reference: Reference
  onFollow: () => void
}): VNode | null {
  const { version = 1, droppedBy, droppedAt } = reference
  const target = reference.link === undefined ? undefined : toTarget(reference.link)
  if (version < 2 && !droppedBy && !droppedAt && !target) return null
  return (
    <div class="panel-source" data-testid="reference-source">
      <p>
        {version > 1 && <span class="version">{texts.version(version)}</span>}
        {droppedBy && <span>{texts.droppedBy(droppedBy)}</span>}
        {droppedAt && <time dateTime={droppedAt}>{formatDay(droppedAt)}</time>}
      </p>
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

/** A message of this page is gone to without leaving it; nothing but http(s) is ever followed. */
function toTarget(link: string): { readonly href: string; readonly outside: boolean } | undefined {
  const url = URL.parse(link, location.href)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  const here = url.pathname === '/' && /^#[^/]+\/[^/]+$/.test(url.hash)
  return here ? { href: url.hash, outside: false } : { href: url.href, outside: true }
}
