import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { useNotices } from '../../app/notices.tsx'
import { Trouble } from '../../app/trouble.tsx'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { ServerForm } from '../../forms/servers/server-form.tsx'
import { t } from '../../language/language.ts'
import { buttonLook } from '../../parts/button.tsx'
import { Empty, PageHead, Panel, Waiting } from '../../parts/panel.tsx'

export default function ServerEdit() {
  const { id, may } = useTeam()
  const { server: named } = useParams({ from: '/signed-in/teams/$team/servers/$server/edit' })
  const server = useQuery(question(id, 'getServer', { id: Number(named) }))
  const policy = useQuery(question(id, 'getServerPolicy', { id: Number(named) }))
  const contacts = useQuery(question(id, 'listContacts', {}))
  const queries = useQueryClient()
  const navigate = useNavigate()
  const say = useNotices()
  const to = { to: '/teams/$team/servers/$server', params: { team: String(id), server: named } } as const
  const back = (
    <Link {...to} className={buttonLook('quiet')}>
      {may('write') ? t('Cancel') : t('View server')}
    </Link>
  )
  const error = server.error ?? policy.error ?? contacts.error
  const isThere = server.data && policy.data && contacts.data
  if (error && !isThere) return <Trouble error={error} />
  return (
    <div className="mx-auto max-w-5xl">
      <PageHead title={server.data ? t('Edit {name}', { name: server.data.data.name }) : t('Edit server')} />
      {!may('write') ? (
        <Panel>
          <Empty icon={Lock} title={t('You have read-only access')} action={back}>
            {t('Ask an owner or admin of the team to change the server.')}
          </Empty>
        </Panel>
      ) : !server.data || !policy.data || !contacts.data ? (
        <Panel>
          <Waiting lines={8} />
        </Panel>
      ) : (
        <ServerForm
          key={server.data.data.id}
          team={id}
          server={server.data.data}
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
