import { LiveStatus } from '../../../src/core/monitors/status.ts'
import { SelectField } from '../field.tsx'
import { statusWord } from './status.tsx'

/** Chooses a status to filter a list by; none of them is any. */
export function StatusField({
  status,
  onChange,
}: {
  status: LiveStatus | undefined
  onChange: (status: LiveStatus | undefined) => void
}) {
  return (
    <SelectField
      label="Status"
      value={status ?? ''}
      onChange={({ target }) => onChange(LiveStatus.safeParse(target.value).data)}
    >
      <option value="">Any</option>
      {LiveStatus.options.map((one) => (
        <option key={one} value={one}>
          {statusWord(one)}
        </option>
      ))}
    </SelectField>
  )
}
