import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Contact } from '../../../src/core/alerting/contact.ts'
import { useNotices } from '../../app/notices.tsx'
import { ask } from '../../data/ask.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'

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
  const [isOpen, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const say = useNotices()

  async function remove() {
    setBusy(true)
    try {
      await ask(team, 'deleteContact', { id: contact.id })
      say.done(t('{name} deleted.', { name: contact.name }))
      // Unsaved changes go with the contact, so the form does not ask about them.
      await navigate({ to: '/teams/$team/contacts', params: { team: String(team) }, ignoreBlocker: true })
      void queries.invalidateQueries({ queryKey: [team] })
    } catch (error) {
      say.problem(error)
      setOpen(false)
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <Button tone="danger" onClick={() => setOpen(true)}>
        {t('Delete')}
      </Button>
      <Confirm
        title={t('Delete {name}?', { name: contact.name })}
        verb={t('Delete contact')}
        open={isOpen}
        busy={busy}
        onConfirm={() => void remove()}
        onClose={() => setOpen(false)}
      >
        {sayAttached(attached)} {t('Its past alerts stay in the delivery log.')}
      </Confirm>
    </>
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
