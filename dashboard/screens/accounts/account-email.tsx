import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { accountLogQuestion, askAccount, useMail } from '../../data/account.ts'
import { fieldsOf } from '../../data/form.ts'
import { faultsOf } from '../../data/problem.ts'
import { useSession } from '../../data/session.ts'
import { hidden } from '../../language/hidden.tsx'
import { rich, t } from '../../language/language.ts'
import { OwnCodeField, OwnPasswordField } from '../../parts/accounts/own-fields.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { TextField } from '../../parts/field.tsx'

/** Changes the address to sign in with. An e-mail proves the new one, so this is hidden on a service without mail. */
export function ChangeEmail() {
  const [isOpen, setOpen] = useState(false)
  if (!useMail()) return null
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {rich('Change<hidden> your e-mail address</hidden>', { hidden })}
      </Button>
      <Dialog title={t('Change your e-mail address')} open={isOpen} onClose={() => setOpen(false)}>
        <ChangeForm onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function ChangeForm({ onClose }: { onClose: () => void }) {
  const { user } = useSession()
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: ({ email = '', password = '', code }: Record<string, string>) =>
      askAccount('requestEmailChange', { body: { email, password, code: code ?? null } }),
    onSuccess: () => queries.invalidateQueries(accountLogQuestion),
  })
  if (change.isSuccess) {
    return (
      <div className="flex flex-col items-end gap-4">
        <p role="status" className="w-full">
          {t(
            'We sent an e-mail to {email}. Open its link in this browser within an hour. Until then, nothing changes.',
            { email: change.variables.email },
          )}
        </p>
        <Button onClick={onClose}>{t('Close')}</Button>
      </div>
    )
  }
  const faults = faultsOf(change.error)
  return (
    <form onSubmit={(event) => change.mutate(fieldsOf(event))} className="flex flex-col gap-4">
      <TextField
        label={t('New e-mail address')}
        name="email"
        type="email"
        autoComplete="email"
        required
        faults={faults.email}
      />
      <OwnPasswordField faults={faults.password} />
      {user.uses_totp && <OwnCodeField faults={faults.code} />}
      <Refused error={change.error} shown={['email', 'password', 'code']} />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button type="submit" tone="main" busy={change.isPending}>
          {t('Send confirmation e-mail')}
        </Button>
      </div>
    </form>
  )
}
