import type { Contact } from '../../../src/core/alerting/contact.ts'
import { t } from '../../language/language.ts'
import { DeleteButton } from '../../parts/records/record-buttons.tsx'

/** Deletes a contact after a confirmation that explains the consequences. */
export function DeleteContact({
  team,
  contact,
  attached,
}: {
  team: number
  contact: Contact
  /** Everything that it is attached to, in words; undefined while that is not known. */
  attached: string | null | undefined
}) {
  return (
    <DeleteButton
      of="Contact"
      record={contact}
      size="usual"
      verb={t('Delete contact')}
      about={
        <>
          {sayAttached(attached)} {t('Its past alerts stay in the delivery log.')}
        </>
      }
      to={{ to: '/teams/$team/contacts', params: { team: String(team) } }}
    />
  )
}

function sayAttached(attached: string | null | undefined): string {
  if (attached === null) return t('It is not attached to specific monitors, servers or sites.')
  if (attached === undefined) {
    return t(
      'It will be detached from everything. A monitor, server or site left without contacts alerts every contact of the team.',
    )
  }
  return t(
    'It will be detached from {things}. A monitor, server or site left without contacts alerts every contact of the team.',
    { things: attached },
  )
}
