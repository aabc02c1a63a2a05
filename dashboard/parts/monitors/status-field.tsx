import { LiveStatus } from '../../../src/core/monitors/status.ts'
import { t } from '../../language/language.ts'
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
      label={t('Status')}
      value={status ?? ''}
      onChange={({ target }) => onChange(LiveStatus.safeParse(target.value).data)}
    >
      <option value="">{t('Any')}</option>
      {LiveStatus.options.map((one) => (
        <option key={one} value={one}>
          {statusWord(one)}
        </option>
      ))}
    </SelectField>
  )
}
