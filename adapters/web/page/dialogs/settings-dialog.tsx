import type { VNode } from 'preact'
import { useId } from 'preact/hooks'
import type { WebAbout, WebSearch } from '#adapters/web/protocol.ts'
import { searchSentence } from '../parts/search-sentence.ts'
import { keepSetting, keptSetting, showTheme } from '../parts/kept-setting.ts'
import { Modal } from '../parts/modal.tsx'
import { texts } from '../texts.ts'

interface SettingsDialogProps {
  readonly about: WebAbout | undefined
  readonly search: WebSearch | undefined
  /** Tokens for programs are made on a page of their own. */
  readonly connect: boolean
  readonly onDone: () => void
}

/** Theme and language of this browser, and what runs here. */
export function SettingsDialog({ about, search, connect, onDone }: SettingsDialogProps): VNode {
  const facts: readonly (readonly [name: string, fact: string])[] = [
    ...(about ? [[texts.answers, about.answers] as const] : []),
    ...(search ? [[texts.searchKind, searchSentence(search)] as const] : []),
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
          <dl class="facts">
            {facts.map(([name, fact]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{fact}</dd>
              </div>
            ))}
          </dl>
          <p class="quiet-word">{texts.modelChoice}</p>
          {connect && (
            <p>
              <a class="panel-link" href="/connect">
                {texts.connectPrograms}
              </a>
            </p>
          )}
        </>
      )}
    </Modal>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, name: string])[]
  readonly onChoose: (value: string) => void
}

function Choice({ label, value, options, onChoose }: ChoiceProps): VNode {
  const id = useId()
  return (
    <p class="choice">
      <label for={id}>{label}</label>
      <select id={id} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        {options.map(([each, name]) => (
          <option key={each} value={each} selected={each === value}>
            {name}
          </option>
        ))}
      </select>
    </p>
  )
}
