import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { askAccount } from '../../data/account.ts'
import { type Fields, fieldsOf } from '../../data/form.ts'
import { forgetInvitationToken } from '../../data/invitation-link.ts'
import { faultsOf } from '../../data/problem.ts'
import { enterSession } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { NewPasswordField } from '../../parts/accounts/new-password.tsx'
import { OwnEmailField, OwnNameField } from '../../parts/accounts/own-fields.tsx'
import { Button } from '../../parts/button.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'

/** Creates an account for the invited address, which the invitation confirms. */
export function JoinForm({ email, token }: { email: string; token: string }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const join = useMutation({
    mutationFn: ({ name, password }: Fields<'name' | 'password'>) =>
      askAccount('joinByInvitation', { body: { token, name, password } }),
    onSuccess: async () => {
      forgetInvitationToken()
      await enterSession(queries)
      await navigate({ to: '/' })
    },
  })
  const faults = faultsOf(join.error)
  return (
    <form onSubmit={(event) => join.mutate(fieldsOf(event))} className="flex flex-col gap-4">
      <OwnEmailField value={email} readOnly />
      <OwnNameField faults={faults.name} />
      <NewPasswordField label={t('Password')} faults={faults.password} />
      <Refused error={join.error} shown={['name', 'password']} />
      <Button type="submit" tone="main" busy={join.isPending}>
        {t('Create account and join')}
      </Button>
    </form>
  )
}
