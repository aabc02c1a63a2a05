import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { useState } from 'react'
import type { Contact } from '../../../src/core/alerting/contact.ts'
import type { Monitor } from '../../../src/core/monitors/monitor.ts'
import type { MonitorNotes } from '../../../src/core/monitors/notes.ts'
import type { Team } from '../../../src/core/teams/team.ts'
import { useNotices } from '../../app/notices.tsx'
import { Trouble } from '../../app/trouble.tsx'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { MonitorForm } from '../../forms/monitor-form.tsx'
import { t } from '../../language/language.ts'
import { buttonLook } from '../../parts/button.tsx'
import { Empty, PageHead, Panel, Waiting } from '../../parts/panel.tsx'

export default function MonitorNew() {
  const { id, name, may } = useTeam()
  // Fetched again, because the plan's last free place may be taken by now.
  const team = useQuery({ ...question(id, 'getTeam', {}), refetchOnMount: 'always' })
  const contacts = useQuery(question(id, 'listContacts', {}))
  const original = useOriginal(id)
  const isThere = team.isFetchedAfterMount && team.data && contacts.data && !original.isPending
  return (
    <div className="mx-auto max-w-3xl">
      <PageHead title={t('Add a monitor')}>
        {original.monitor
          ? t('A copy of {name}. Change what differs before you save it.', { name: original.monitor.name })
          : t('Checks start within a second of saving.')}
      </PageHead>
      {!may('write') ? (
        <Panel>
          <Empty
            icon={Lock}
            title={t('You have read-only access')}
            action={<Back label={t('View monitors')} />}
          >
            {t('Ask an owner or admin of {name} to add the monitor.', { name })}
          </Empty>
        </Panel>
      ) : isThere ? (
        <NewMonitor team={team.data.data} contacts={contacts.data.data} original={original} />
      ) : team.error || contacts.error ? (
        <Trouble error={team.error ?? contacts.error} within />
      ) : (
        <Panel>
          <Waiting lines={8} />
        </Panel>
      )}
    </div>
  )
}

type Original = {
  monitor?: Monitor | undefined
  notes?: MonitorNotes | undefined
  tags?: readonly string[] | undefined
}

/** The monitor that the address asks to copy. One that is gone is not missed: the form begins empty. */
function useOriginal(team: number): Original & { isPending: boolean } {
  const { copy } = useSearch({ from: '/signed-in/teams/$team/monitors/new' })
  const asked = { enabled: copy !== undefined }
  const monitor = useQuery({ ...question(team, 'getMonitor', { id: copy ?? 0 }), ...asked })
  const notes = useQuery({ ...question(team, 'getMonitorNotes', { id: copy ?? 0 }), ...asked })
  const tags = useQuery({ ...question(team, 'getMonitorTags', { id: copy ?? 0 }), ...asked })
  return {
    monitor: monitor.data?.data,
    notes: notes.data?.data,
    tags: tags.data?.data.tags,
    isPending: monitor.isLoading || notes.isLoading || tags.isLoading,
  }
}

function NewMonitor({ team, contacts, original }: { team: Team; contacts: Contact[]; original: Original }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const say = useNotices()
  // An open form stays: a colleague who takes the last place must not make typed input disappear.
  const [hadRoom] = useState(team.can_add_monitor)
  if (!hadRoom && !team.can_add_monitor) return <NoRoom team={team} />
  return (
    <MonitorForm
      {...(original.monitor && { copied: original.monitor })}
      {...(original.notes && { notes: original.notes })}
      {...(original.tags && { tags: original.tags })}
      team={team}
      contacts={contacts}
      beside={<Back label={t('Cancel')} />}
      onDone={(monitor) => {
        void queries.invalidateQueries({ queryKey: [team.id] })
        say.done(t('{name} added.', { name: monitor.name }))
        void navigate({
          to: '/teams/$team/monitors/$monitor',
          params: { team: String(team.id), monitor: String(monitor.id) },
        })
      }}
    />
  )
}

export function NoRoom({ team }: { team: Team }) {
  return (
    <Panel>
      <Empty title={t('Monitor limit reached')} action={<Back label={t('View monitors')} />}>
        {t(
          'The {plan} plan allows {max} monitors, and your team has {count}, including paused ones. Delete one, or ask the operator of this service for a larger plan.',
          { plan: team.plan, max: team.max_monitors, count: team.monitors_count },
        )}
      </Empty>
    </Panel>
  )
}

function Back({ label }: { label: string }) {
  const { id } = useTeam()
  return (
    <Link to="/teams/$team/monitors" params={{ team: String(id) }} className={buttonLook('quiet')}>
      {label}
    </Link>
  )
}
