import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { WebChannel, WebTokenWish } from '#adapters/web/protocol.ts'
import { Checks } from '../parts/checks.tsx'
import { Choice } from '../parts/choice.tsx'
import { SmallForm } from '../parts/small-form.tsx'
import { texts } from '../texts.ts'

const MAX_NAME_CHARS = 60

interface TokenFormProps {
  /** Names of all tools. */
  readonly tools: readonly string[]
  readonly channels: readonly WebChannel[]
  readonly onMake: (wish: WebTokenWish) => Promise<void>
  readonly onCancel: () => void
}

/** Name of a program, and its limits: one channel, some tools. */
export function TokenForm({ tools, channels, onMake, onCancel }: TokenFormProps): VNode {
  const [channel, setChannel] = useState('')
  const [off, setOff] = useState<ReadonlySet<string>>(new Set())
  const left = tools.filter((tool) => !off.has(tool))
  return (
    <SmallForm
      label={texts.programName}
      submit={texts.makeToken}
      maxLength={MAX_NAME_CHARS}
      onSubmit={(name) => onMake({ name, ...(channel !== '' && { channel }), ...(off.size > 0 && { tools: left }) })}
      onCancel={onCancel}
    >
      {channels.length > 0 && (
        <Choice
          label={texts.tokenReads}
          value={channel}
          options={[
            ['', texts.tokenReadsAll],
            ...channels.map(({ id, name }) => [id, texts.tokenReadsOne(name)] as const),
          ]}
          onChoose={setChannel}
        />
      )}
      {tools.length > 0 && <Checks legend={texts.tokenTools} options={tools} off={off} onChange={setOff} />}
    </SmallForm>
  )
}
