import type { VNode } from 'preact'

interface ChecksProps {
  readonly legend: string
  readonly options: readonly string[]
  readonly off: ReadonlySet<string>
  readonly onChange: (off: ReadonlySet<string>) => void
}

/** Names to check or leave out. */
export function Checks({ legend, options, off, onChange }: ChecksProps): VNode {
  const change = (name: string, isOn: boolean) =>
    onChange(new Set([...off].filter((one) => one !== name).concat(isOn ? [] : name)))
  return (
    <fieldset class="token-tools">
      <legend>{legend}</legend>
      {options.map((name) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={!off.has(name)}
            onChange={({ currentTarget }) => change(name, currentTarget.checked)}
          />
          <code>{name}</code>
        </label>
      ))}
    </fieldset>
  )
}
