import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { askAccount } from '../../data/account.ts'
import { type Fields, fieldsOf } from '../../data/form.ts'
import { faultsOf } from '../../data/problem.ts'
import { refreshSession, useSession } from '../../data/session.ts'
import { hidden } from '../../language/hidden.tsx'
import { rich, t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Refused } from '../../parts/refused.tsx'

/** The number that members of the person's teams can call; an empty field clears it. */
export function PersonPhone() {
  const { user } = useSession()
  const [isOpen, setOpen] = useState(false)
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: ({ phone }: Fields<'phone'>) =>
      askAccount('updatePerson', { body: { phone: phone.trim() || null } }),
    onSuccess: async () => {
      await refreshSession(queries)
      setOpen(false)
    },
  })
  if (!isOpen) {
    return (
      <div className="flex flex-wrap items-center gap-3">
        {user.phone && <span>{user.phone}</span>}
        <Button size="small" onClick={() => setOpen(true)}>
          {rich(
            user.phone
              ? 'Change<hidden> your phone number</hidden>'
              : 'Add<hidden> your phone number</hidden>',
            { hidden },
          )}
        </Button>
      </div>
    )
  }
  return (
    <form onSubmit={(event) => change.mutate(fieldsOf(event))} className="flex max-w-sm flex-col gap-3">
      <TextField
        label={t('Your phone number')}
        name="phone"
        type="tel"
        autoComplete="tel"
        placeholder="+15558675310"
        autoFocus
        defaultValue={user.phone ?? ''}
        hint={t('Members of your teams can call it from an incident and from On-call.')}
        faults={faultsOf(change.error).phone}
      />
      <Refused error={change.error} shown={['phone']} />
      <div className="flex gap-2">
        <Button type="submit" tone="main" busy={change.isPending}>
          {t('Save')}
        </Button>
        <Button onClick={() => setOpen(false)}>{t('Cancel')}</Button>
      </div>
    </form>
  )
}
