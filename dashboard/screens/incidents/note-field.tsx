import { MAX_INCIDENT_NOTE_LENGTH } from '../../../src/core/on-call/acknowledgement.ts'
import { Field, INPUT_LOOK } from '../../parts/field.tsx'

/** The field of a note about incidents, wherever one is written. */
export function NoteField({
  value,
  onChange,
  ...field
}: Omit<Parameters<typeof Field>[0], 'children'> & { value: string; onChange: (note: string) => void }) {
  return (
    <Field {...field}>
      {(wired) => (
        <textarea
          {...wired}
          value={value}
          rows={2}
          maxLength={MAX_INCIDENT_NOTE_LENGTH}
          className={`${INPUT_LOOK} py-2`}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  )
}
