import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { askAccount } from '../../data/account.ts'
import { type Fields, fieldsOf } from '../../data/form.ts'
import { faultsOf } from '../../data/problem.ts'
import { useSession } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { OwnCodeField, OwnPasswordField } from '../../parts/accounts/own-fields.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { Section } from '../../parts/panel.tsx'

export function AccountDeletion() {
  const [isAsking, setAsking] = useState(false)
  return (
    <Section
      title={t('Delete account')}
      about={t(
        'This deletes your name, your address, everything you sign in with, your API tokens, and contacts of your teams that use your address. Audit logs keep a number in your place.',
      )}
    >
      <div className="p-4">
        <Button tone="danger" onClick={() => setAsking(true)}>
          {t('Delete…')}
        </Button>
      </div>
      <Dialog title={t('Delete your account?')} open={isAsking} onClose={() => setAsking(false)}>
        <DeletionForm onClose={() => setAsking(false)} />
      </Dialog>
    </Section>
  )
}

function DeletionForm({ onClose }: { onClose: () => void }) {
  const { user } = useSession()
  const deletion = useMutation({
    mutationFn: ({ password, code }: Partial<Fields<'password' | 'code'>>) =>
      askAccount('deleteOwnAccount', { body: { password: password ?? null, code: code || null } }),
    onSuccess: () => location.assign('/sign-in'),
  })
  const faults = faultsOf(deletion.error)
  const shown = [...(user.has_password ? ['password'] : []), ...(user.uses_totp ? ['code'] : [])]
  return (
    <form onSubmit={(event) => deletion.mutate(fieldsOf(event))} className="flex flex-col gap-4">
      <p className="text-soft">{t('This cannot be undone.')}</p>
      {user.has_password && <OwnPasswordField faults={faults.password} />}
      {user.uses_totp && <OwnCodeField faults={faults.code} />}
      <Refused error={deletion.error} shown={shown} />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button type="submit" tone="danger" busy={deletion.isPending}>
          {t('Delete my account')}
        </Button>
      </div>
    </form>
  )
}
