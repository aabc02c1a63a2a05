import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { askAccount, sessionsQuestion } from '../../data/account.ts'
import { type Fields, fieldsOf } from '../../data/form.ts'
import { faultsOf } from '../../data/problem.ts'
import { useSession } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { NewPasswordField } from '../../parts/accounts/new-password.tsx'
import { Button } from '../../parts/button.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { TextField } from '../../parts/field.tsx'
import { Section } from '../../parts/panel.tsx'

export function AccountPassword() {
  const { user } = useSession()
  const queries = useQueryClient()
  const say = useNotices()
  const form = useRef<HTMLFormElement>(null)
  const change = useMutation({
    mutationFn: ({ current_password, password }: Fields<'current_password' | 'password'>) =>
      askAccount('changePassword', { body: { current_password, password } }),
    onSuccess: async () => {
      form.current?.reset()
      say.done(t('Password changed. You are signed out on all other devices.'))
      await queries.invalidateQueries(sessionsQuestion)
    },
  })
  const faults = faultsOf(change.error)
  return (
    <Section title={t('Password')} about={t('Changing it signs you out on all other devices.')}>
      <form
        ref={form}
        onSubmit={(event) => change.mutate(fieldsOf(event))}
        className="flex flex-col items-start gap-4 p-4"
      >
        <input hidden type="text" name="username" autoComplete="username" value={user.email} readOnly />
        <TextField
          label={t('Current password')}
          name="current_password"
          type="password"
          autoComplete="current-password"
          required
          className="w-full max-w-sm"
          faults={faults.current_password}
        />
        <NewPasswordField label={t('New password')} className="w-full max-w-sm" faults={faults.password} />
        <Refused error={change.error} shown={['current_password', 'password']} />
        <Button type="submit" busy={change.isPending}>
          {t('Change password')}
        </Button>
      </form>
    </Section>
  )
}
