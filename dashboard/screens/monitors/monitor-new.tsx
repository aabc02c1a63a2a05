import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Monitor, MonitorType } from '../../../src/core/monitors/monitor.ts'
import { MONITOR_TYPES } from '../../../src/core/monitors/monitor-types.ts'
import type { Team } from '../../../src/core/teams/team.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { type Begun, MonitorForm } from '../../forms/monitor-form.tsx'
import { t } from '../../language/language.ts'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { asFetched, LimitReached, NewScreen } from '../../parts/records/form-screen.tsx'

export default function MonitorNew() {
  const { id, name } = useTeam()
  const original = useOriginal(id)
  const { copied } = original.data ?? {}
  const { round, ...another } = useAnother(id)
  const { type: first } = useSearch({ from: '/signed-in/teams/$team/monitors/new' })
  const [type, setType] = useState<MonitorType>(first ?? 'http')
  return (
    <NewScreen
      className="mx-auto max-w-3xl"
      title={t('Add a monitor')}
      about={
        copied
          ? t('A copy of {name}. Change what differs before you save it.', { name: copied.name })
          : MONITOR_TYPES[type].isProbed && t('Checks start within a second of saving.')
      }
      {...wayBack(id)}
      readOnly={t('Ask an owner or admin of {name} to add the monitor.', { name })}
      needs={{
        team: asFetched(useQuery({ ...question(id, 'getTeam', {}), refetchOnMount: 'always' })),
        contacts: useQuery(question(id, 'listContacts', {})),
        original,
      }}
      limit={{
        hasRoom: ({ team }) => team.data.can_add_monitor,
        title: t('Monitor limit reached'),
        about: ({ team }) => sayLimit(team.data),
      }}
      said={(monitor: Monitor) => t('{name} added.', { name: monitor.name })}
      to={(monitor) => ({
        to: '/teams/$team/monitors/$monitor',
        params: { team: String(id), monitor: String(monitor.id) },
      })}
    >
      {({ team, contacts, original: begun }, form) => (
        <MonitorForm
          key={`${round} ${first}`}
          first={first}
          team={team.data}
          contacts={contacts.data}
          onType={setType}
          {...begun}
          {...another}
          {...form}
        />
      )}
    </NewScreen>
  )
}

/** Begins the form anew, with the settings of the monitor that it added last. */
function useAnother(team: number) {
  const queries = useQueryClient()
  const say = useNotices()
  const [{ round, begun }, setState] = useState<{ round: number; begun?: Begun }>({ round: 0 })
  return {
    round,
    begun,
    onAgain(monitor: Monitor, next: Begun) {
      void queries.invalidateQueries({ queryKey: [team] })
      say.done(t('{name} added.', { name: monitor.name }))
      setState({ round: round + 1, begun: next })
      window.scrollTo({ top: 0 })
    },
  }
}

/** The parts of the monitor that the address asks to copy, for the form to begin with: none of one that is gone. */
function useOriginal(team: number) {
  const { copy } = useSearch({ from: '/signed-in/teams/$team/monitors/new' })
  const [of, asked] = [{ id: copy ?? 0 }, { enabled: copy !== undefined }]
  const monitor = useQuery({ ...question(team, 'getMonitor', of), ...asked })
  const notes = useQuery({ ...question(team, 'getMonitorNotes', of), ...asked })
  const tags = useQuery({ ...question(team, 'getMonitorTags', of), ...asked })
  const isPending = monitor.isLoading || notes.isLoading || tags.isLoading
  const begun = {
    ...(monitor.data && { copied: monitor.data.data }),
    ...(notes.data && { notes: notes.data.data }),
    ...(tags.data && { tags: tags.data.data.tags }),
  }
  return { data: isPending ? undefined : begun, error: null }
}

export function NoRoom({ team }: { team: Team }) {
  return <LimitReached title={t('Monitor limit reached')} about={sayLimit(team)} {...wayBack(team.id)} />
}

function sayLimit(team: Team): string {
  return t(
    'The {plan} plan allows {max} monitors, and your team has {count}, including paused ones. Delete one, or ask the operator of this service for a larger plan.',
    { plan: team.plan, max: team.max_monitors, count: team.monitors_count },
  )
}

function wayBack(team: number) {
  return {
    back: { to: '/teams/$team/monitors', params: { team: String(team) } } as const,
    view: t('View monitors'),
  }
}
