import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Door } from '../../app/door.tsx'
import { askAccount } from '../../data/account.ts'
import { type Fields, fieldsOf } from '../../data/form.ts'
import { faultsOf } from '../../data/problem.ts'
import { refreshSession, useSession } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { TextField } from '../../parts/field.tsx'

export default function NewTeam() {
  const { teams, may_make_team: mayMakeTeam } = useSession()
  return (
    <Door title={t('New team')}>
      {mayMakeTeam ? (
        <NewTeamForm />
      ) : (
        <p>
          {t(
            'Only the operator of this service can create teams: ask them for one. To join an existing team, ask one of its owners for an invitation.',
          )}
        </p>
      )}
      <p className="mt-5 text-center">
        {teams.length > 0 ? (
          <Link to="/" className="underline">
            {t('Back to the dashboard')}
          </Link>
        ) : (
          <Link to="/account" className="underline">
            {t('Your account')}
          </Link>
        )}
      </p>
    </Door>
  )
}

function NewTeamForm() {
  const { user } = useSession()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const create = useMutation({
    mutationFn: (body: Fields<'name'>) => askAccount('createTeam', { body }),
    onSuccess: async ({ id }) => {
      await refreshSession(queries)
      await navigate({ to: '/teams/$team/welcome', params: { team: String(id) } })
    },
  })
  return (
    <form onSubmit={(event) => create.mutate(fieldsOf(event))} className="flex flex-col gap-4">
      <p className="text-soft">
        {t(
          'A team has its own monitors, contacts and members. You will be its owner, and its alerts go to {email} until you add other contacts.',
          { email: user.email },
        )}
      </p>
      <TextField
        label={t('Team name')}
        name="name"
        autoComplete="organization"
        required
        autoFocus
        maxLength={255}
        faults={faultsOf(create.error).name}
      />
      <Refused error={create.error} shown={['name']} />
      <Button type="submit" tone="main" busy={create.isPending}>
        {t('Create team')}
      </Button>
    </form>
  )
}
