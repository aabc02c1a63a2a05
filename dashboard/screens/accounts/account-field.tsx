import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { PersonPatch } from '../../../src/core/accounts/account.ts'
import { askAccount } from '../../data/account.ts'
import { type Fields, fieldsOf } from '../../data/form.ts'
import { faultsOf } from '../../data/problem.ts'
import { refreshSession } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'

/** A fact about the person, with a button that opens its form. */
export function PersonField<Name extends 'name' | 'phone'>({
  name,
  shown,
  words,
  patch,
  children,
}: {
  name: Name
  shown: string | null
  /** On the button. */
  words: ReactNode
  /** The change that the form sends. */
  patch: (fields: Fields<Name>) => PersonPatch
  /** The field of the form. */
  children: (faults: string[] | undefined) => ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (fields: Fields<Name>) => askAccount('updatePerson', { body: patch(fields) }),
    onSuccess: async () => {
      await refreshSession(queries)
      setOpen(false)
    },
  })
  if (!isOpen) {
    return (
      <div className="flex flex-wrap items-center gap-3">
        {shown && <span className="wrap-anywhere">{shown}</span>}
        <Button size="small" onClick={() => setOpen(true)}>
          {words}
        </Button>
      </div>
    )
  }
  return (
    <form onSubmit={(event) => change.mutate(fieldsOf(event))} className="flex max-w-sm flex-col gap-3">
      {children(faultsOf(change.error)[name])}
      <Refused error={change.error} shown={[name]} />
      <div className="flex gap-2">
        <Button type="submit" tone="main" busy={change.isPending}>
          {t('Save')}
        </Button>
        <Button onClick={() => setOpen(false)}>{t('Cancel')}</Button>
      </div>
    </form>
  )
}
