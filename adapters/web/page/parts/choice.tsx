import type { VNode } from 'preact'
import { useId } from 'preact/hooks'

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, name: string])[]
  readonly disabled?: boolean
  readonly onChoose: (value: string) => void
}

/** One of several values, with its label. */
export function Choice({ label, value, options, disabled, onChoose }: ChoiceProps): VNode {
  const id = useId()
  return (
    <p class="choice">
      <label for={id}>{label}</label>
      <select id={id} disabled={disabled} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        {options.map(([each, name]) => (
          <option key={each} value={each} selected={each === value}>
            {name}
          </option>
        ))}
      </select>
    </p>
  )
}
