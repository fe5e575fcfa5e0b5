import type { VNode } from 'preact'
import type { WebChannel } from '#adapters/web/protocol.ts'
import type { ChatState } from '../chat/state.ts'
import { keepSetting, keptSetting, showTheme } from '../parts/kept-setting.ts'
import { Choice } from '../parts/choice.tsx'
import { Modal } from '../parts/modal.tsx'
import { texts } from '../texts.ts'
import { Meaning } from './meaning.tsx'
import { ModelChoiceField } from './model-choice.tsx'
import { ApiKeys } from './api-keys.tsx'
import { Programs } from './programs.tsx'

interface SettingsDialogProps {
  readonly state: Pick<ChatState, 'about' | 'search' | 'channels' | 'connect' | 'apiKeys'>
  /** The open channel or chat. */
  readonly channel: WebChannel | undefined
  readonly onDone: () => void
}

/** Theme and language of this browser, the language model, what runs here, and programs. */
export function SettingsDialog({ state, channel, onDone }: SettingsDialogProps): VNode {
  const { about, search, connect, apiKeys } = state
  const channels = state.channels.filter(({ direct, archived }) => !direct && archived !== true)
  const facts: readonly (readonly [name: string, fact: string])[] = [
    ...(about ? [[texts.answers, about.answers ?? texts.answersByQuotes] as const] : []),
    ...(about ? [[texts.dataPlace, about.data] as const, [texts.footbridgeVersion, about.version] as const] : []),
  ]
  return (
    <Modal title={texts.settings} testId="settings-dialog" onDone={onDone}>
      {() => (
        <>
          <Choice
            label={texts.theme}
            value={keptSetting('theme') ?? ''}
            options={texts.themes}
            onChoose={(theme) => {
              keepSetting('theme', theme)
              showTheme(theme)
            }}
          />
          <Choice
            label={texts.languageOfPage}
            value={keptSetting('language') ?? ''}
            options={[
              ['', texts.asBrowser],
              ['en', 'English'],
              ['de', 'Deutsch'],
            ]}
            onChoose={(language) => {
              keepSetting('language', language)
              location.reload()
            }}
          />
          {channel && <ModelChoiceField channel={channel} />}
          <dl class="facts">
            {facts.map(([name, fact]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{fact}</dd>
              </div>
            ))}
          </dl>
          {search && <Meaning search={search} />}
          {connect === true && <Programs channels={channels} />}
          {apiKeys === true && <ApiKeys />}
        </>
      )}
    </Modal>
  )
}
