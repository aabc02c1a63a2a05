import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import type { SubjectName, WindowDetail } from '../../../src/core/maintenance/shown-window.ts'
import { useNotices } from '../../app/notices.tsx'
import { Trouble } from '../../app/trouble.tsx'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { WindowForm } from '../../forms/maintenance/window-form.tsx'
import { t } from '../../language/language.ts'
import { buttonLook } from '../../parts/button.tsx'
import { Empty, PageHead, Panel, Waiting } from '../../parts/panel.tsx'

export default function WindowNew() {
  const { id, name, may } = useTeam()
  const { monitor, server, site } = useSearch({ from: '/signed-in/teams/$team/maintenance/new' })
  return (
    <>
      <PageHead title={t('New maintenance window')}>
        {t('Checks go on. Failures alert no one and do not count toward uptime.')}
      </PageHead>
      {!may('write') ? (
        <Panel>
          <Empty
            icon={Lock}
            title={t('You have read-only access')}
            action={<Back label={t('View maintenance')} />}
          >
            {t('Ask an owner or admin of {name} to plan maintenance.', { name })}
          </Empty>
        </Panel>
      ) : monitor !== undefined ? (
        <NewWindowOf team={id} kind="monitors" id={monitor} />
      ) : server !== undefined ? (
        <NewWindowOf team={id} kind="servers" id={server} />
      ) : site !== undefined ? (
        <NewWindowOf team={id} kind="sites" id={site} />
      ) : (
        <NewWindow team={id} />
      )}
    </>
  )
}

type Kind = 'monitors' | 'servers' | 'sites'

function NewWindowOf({ team, kind, id }: { team: number; kind: Kind; id: number }) {
  const monitor = useQuery({ ...question(team, 'getMonitor', { id }), enabled: kind === 'monitors' })
  const server = useQuery({ ...question(team, 'getServer', { id }), enabled: kind === 'servers' })
  const site = useQuery({ ...question(team, 'getSite', { id }), enabled: kind === 'sites' })
  const { data, error } = { monitors: monitor, servers: server, sites: site }[kind]
  if (data) return <NewWindow team={team} {...{ [kind]: [{ id, name: data.data.name }] }} />
  if (error) return <Trouble error={error} within />
  return (
    <Panel>
      <Waiting lines={8} />
    </Panel>
  )
}

function NewWindow({
  team,
  ...subjects
}: {
  team: number
} & { [kind in Kind]?: SubjectName[] }) {
  const onDone = useWindowDone(team, (name) => t('{name} created.', { name }))
  return <WindowForm team={team} {...subjects} beside={<Back label={t('Cancel')} />} onDone={onDone} />
}

/** Leads from a form to the page of its window. */
export function useWindowDone(team: number, sayDone: (name: string) => string) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const say = useNotices()
  return ({ id, name }: WindowDetail) => {
    void queries.invalidateQueries({ queryKey: [team] })
    say.done(sayDone(name))
    const params = { team: String(team), window: String(id) }
    void navigate({ to: '/teams/$team/maintenance/$window', params })
  }
}

function Back({ label }: { label: string }) {
  const { id } = useTeam()
  return (
    <Link to="/teams/$team/maintenance" params={{ team: String(id) }} className={buttonLook('quiet')}>
      {label}
    </Link>
  )
}
