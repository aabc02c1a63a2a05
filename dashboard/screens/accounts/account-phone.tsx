import { useSession } from '../../data/session.ts'
import { hidden } from '../../language/hidden.tsx'
import { rich, t } from '../../language/language.ts'
import { TextField } from '../../parts/field.tsx'
import { PersonField } from './account-field.tsx'

/** The number that members of the person's teams can call; an empty field clears it. */
export function PersonPhone() {
  const { user } = useSession()
  return (
    <PersonField
      name="phone"
      shown={user.phone}
      words={rich(
        user.phone ? 'Change<hidden> your phone number</hidden>' : 'Add<hidden> your phone number</hidden>',
        { hidden },
      )}
      patch={({ phone }) => ({ phone: phone.trim() || null })}
    >
      {(faults) => (
        <TextField
          label={t('Your phone number')}
          name="phone"
          type="tel"
          autoComplete="tel"
          placeholder="+15558675310"
          autoFocus
          defaultValue={user.phone ?? ''}
          hint={t('Members of your teams can call it from an incident and from On-call.')}
          faults={faults}
        />
      )}
    </PersonField>
  )
}
