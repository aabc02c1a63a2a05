import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { Trouble } from '../../app/trouble.tsx'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { buttonLook } from '../../parts/button.tsx'
import { Empty, PageHead, Panel, Waiting } from '../../parts/panel.tsx'
import { FormWithContacts } from './policy-new.tsx'

export default function PolicyEdit() {
  const { id: team, may } = useTeam()
  const { policy: named } = useParams({ from: '/signed-in/teams/$team/on-call/policies/$policy/edit' })
  const { data, error } = useQuery(question(team, 'getEscalationPolicy', { id: Number(named) }))
  if (error && !data) return <Trouble error={error} />
  const back = (
    <Link
      to="/teams/$team/on-call/policies/$policy"
      params={{ team: String(team), policy: named }}
      className={buttonLook('quiet')}
    >
      {may('write') ? t('Cancel') : t('View policy')}
    </Link>
  )
  return (
    <>
      <PageHead title={data ? t('Edit {name}', { name: data.data.name }) : t('Edit policy')}>
        {t('Changes take effect with the next incident.')}
      </PageHead>
      {!may('write') ? (
        <Panel>
          <Empty icon={Lock} title={t('You have read-only access')} action={back}>
            {t('Ask an owner or admin of the team to change the policy.')}
          </Empty>
        </Panel>
      ) : data ? (
        <FormWithContacts
          key={data.data.id}
          team={team}
          policy={data.data}
          done={(saved) => t('{name} saved.', { name: saved.name })}
          beside={back}
        />
      ) : (
        <Panel>
          <Waiting lines={8} />
        </Panel>
      )}
    </>
  )
}
