import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import type { EscalationPolicy } from '../../../src/core/on-call/policy.ts'
import { useNotices } from '../../app/notices.tsx'
import { Trouble } from '../../app/trouble.tsx'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { PolicyForm } from '../../forms/on-call/policy-form.tsx'
import { t } from '../../language/language.ts'
import { buttonLook } from '../../parts/button.tsx'
import { useSchedules } from '../../parts/on-call/schedules.ts'
import { Empty, PageHead, Panel, Waiting } from '../../parts/panel.tsx'

export default function PolicyNew() {
  const { id: team, name, may } = useTeam()
  const back = (label: string) => (
    <Link to="/teams/$team/on-call" params={{ team: String(team) }} className={buttonLook('quiet')}>
      {label}
    </Link>
  )
  return (
    <>
      <PageHead title={t('New escalation policy')}>
        {t('Steps alert more people until someone acknowledges the incident.')}
      </PageHead>
      {may('write') ? (
        <FormWithContacts
          team={team}
          done={(policy) => t('{name} created.', { name: policy.name })}
          beside={back(t('Cancel'))}
        />
      ) : (
        <Panel>
          <Empty icon={Lock} title={t('You have read-only access')} action={back(t('View on-call'))}>
            {t('Ask an owner or admin of {name} to create a policy.', { name })}
          </Empty>
        </Panel>
      )}
    </>
  )
}

/** The form, once the contacts and schedules of the team are known. */
export function FormWithContacts({
  team,
  policy,
  done,
  beside,
}: {
  team: number
  policy?: EscalationPolicy
  done: (policy: EscalationPolicy) => string
  beside: ReactNode
}) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const say = useNotices()
  const contacts = useQuery(question(team, 'listContacts', {}))
  const schedules = useSchedules(team)
  const error = contacts.error ?? schedules.error
  if (contacts.data && schedules.data) {
    return (
      <PolicyForm
        team={team}
        {...(policy && { policy })}
        contacts={contacts.data.data}
        schedules={schedules.data.data}
        beside={beside}
        onDone={(saved) => {
          void queries.invalidateQueries({ queryKey: [team] })
          say.done(done(saved))
          const params = { team: String(team), policy: String(saved.id) }
          void navigate({ to: '/teams/$team/on-call/policies/$policy', params })
        }}
      />
    )
  }
  if (error) return <Trouble error={error} within />
  return (
    <Panel>
      <Waiting lines={8} />
    </Panel>
  )
}
