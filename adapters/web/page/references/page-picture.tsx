import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { pageOf } from '#adapters/shared/page-pictures.ts'
import type { Reference } from '#adapters/web/protocol.ts'
import { api } from '../chat/api.ts'
import { texts } from '../texts.ts'

interface PagePictureProps {
  /** The channel that the file was dropped in. */
  readonly channel: string
  /** Id of the answer. */
  readonly message: string
  readonly reference: Reference
}

/** The page as a picture, with the passage marked; a press shows it large. Nothing where it cannot be drawn. */
export function PagePicture({ channel, message, reference }: PagePictureProps): VNode | null {
  const [state, setState] = useState<'drawing' | 'drawn' | 'failed'>('drawing')
  const [isLarge, setLarge] = useState(false)
  const page = pageOf(reference)
  if (page === undefined || state === 'failed') return null
  const { file, version, number } = reference
  const asked = {
    name: file,
    ...(version !== undefined && { version: `${version}` }),
    page: `${page}`,
    message,
    reference: `${number}`,
  }
  return (
    <figure class="page-picture" data-testid="page-picture" aria-busy={state === 'drawing'}>
      <figcaption>{texts.pageAsPicture(page)}</figcaption>
      {/* Arrows scroll it, and do not turn to another reference. */}
      <div
        class={`page-frame ${isLarge ? 'large' : ''}`}
        {...(isLarge && { tabIndex: 0, role: 'group', 'aria-label': texts.pageAsPicture(page) })}
        onKeyDown={(event) => event.key.startsWith('Arrow') && event.stopPropagation()}
      >
        <button
          type="button"
          aria-pressed={isLarge}
          aria-label={texts.enlargePage(page)}
          onClick={() => setLarge(!isLarge)}
        >
          <img
            src={api.pageUrl(channel, asked)}
            alt=""
            decoding="async"
            onLoad={() => setState('drawn')}
            onError={() => setState('failed')}
          />
        </button>
      </div>
    </figure>
  )
}
