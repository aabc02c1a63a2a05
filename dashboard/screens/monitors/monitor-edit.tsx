import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { useNotices } from '../../app/notices.tsx'
import { Trouble } from '../../app/trouble.tsx'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { MonitorForm } from '../../forms/monitor-form.tsx'
import { t } from '../../language/language.ts'
import { buttonLook } from '../../parts/button.tsx'
import { typeWord } from '../../parts/monitors/type-word.ts'
import { Empty, PageHead, Panel, Waiting } from '../../parts/panel.tsx'

export default function MonitorEdit() {
  const { id, may } = useTeam()
  const { monitor: named } = useParams({ strict: false })
  const monitor = useQuery(question(id, 'getMonitor', { id: Number(named) }))
  const notes = useQuery(question(id, 'getMonitorNotes', { id: Number(named) }))
  const tags = useQuery(question(id, 'getMonitorTags', { id: Number(named) }))
  const team = useQuery(question(id, 'getTeam', {}))
  const policy = useQuery(question(id, 'getMonitorPolicy', { id: Number(named) }))
  const contacts = useQuery(question(id, 'listContacts', {}))
  const queries = useQueryClient()
  const navigate = useNavigate()
  const say = useNotices()
  const to = {
    to: '/teams/$team/monitors/$monitor',
    params: { team: String(id), monitor: String(named) },
  } as const
  const back = (
    <Link {...to} className={buttonLook('quiet')}>
      {may('write') ? t('Cancel') : t('View monitor')}
    </Link>
  )
  const error = monitor.error ?? notes.error ?? tags.error ?? team.error ?? policy.error ?? contacts.error
  const isThere = monitor.data && notes.data && tags.data && team.data && policy.data && contacts.data
  if (error && !isThere) return <Trouble error={error} />

  return (
    <div className="mx-auto max-w-3xl">
      <PageHead title={monitor.data ? t('Edit {name}', { name: monitor.data.data.name }) : t('Edit monitor')}>
        {monitor.data && t('{type}. The type cannot be changed.', { type: typeWord(monitor.data.data.type) })}
      </PageHead>
      {!may('write') ? (
        <Panel>
          <Empty icon={Lock} title={t('You have read-only access')} action={back}>
            {t('Ask an owner or admin of the team to change the monitor.')}
          </Empty>
        </Panel>
      ) : !monitor.data || !notes.data || !tags.data || !team.data || !policy.data || !contacts.data ? (
        <Panel>
          <Waiting lines={8} />
        </Panel>
      ) : (
        <MonitorForm
          key={monitor.data.data.id}
          monitor={monitor.data.data}
          notes={notes.data.data}
          tags={tags.data.data.tags}
          team={team.data.data}
          policy={policy.data.data}
          contacts={contacts.data.data}
          beside={back}
          onDone={({ name }) => {
            void queries.invalidateQueries({ queryKey: [id] })
            say.done(t('{name} saved.', { name }))
            void navigate(to)
          }}
        />
      )}
    </div>
  )
}
