import type { VNode } from 'preact'
import type { WebChannel } from '#adapters/web/protocol.ts'
import { Icon, type IconName } from '../parts/icons.tsx'
import { texts } from '../texts.ts'
import { FileButton } from '../composer/drop-target.tsx'

const ICONS: readonly IconName[] = ['file', 'microphone', 'check']

interface EmptyStateProps {
  readonly channel: WebChannel
  readonly onFiles: (files: readonly File[]) => void
  /** Drops the sample file; undefined: there is no sample. */
  readonly onSample: (() => Promise<void>) | undefined
}

/** The first thing a person sees: the purpose of the page and three steps to begin. */
export function EmptyState({ channel, onFiles, onSample }: EmptyStateProps): VNode {
  return (
    <section class="empty" data-testid="empty-state">
      <span class="empty-mark">
        <Icon name="bridge" />
      </span>
      <h2>{channel.direct ? texts.emptyDirect : texts.emptyChannel(channel.name)}</h2>
      <p class="lead">{texts.emptyLead}</p>
      <ol class="steps">
        {texts.emptySteps.map(([title, what], index) => (
          <li key={title}>
            <span class="step-icon">
              <Icon name={ICONS[index] ?? 'file'} />
            </span>
            <strong>{title}</strong>
            <span>{what}</span>
          </li>
        ))}
      </ol>
      <FileButton class="button primary large" onFiles={onFiles}>
        {texts.chooseFile}
      </FileButton>
      {onSample && (
        <button type="button" class="button large" onClick={() => void onSample().catch(() => {})}>
          {texts.trySample}
        </button>
      )}
    </section>
  )
}
