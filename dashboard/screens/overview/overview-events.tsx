import { Link } from '@tanstack/react-router'
import { formatDuration } from '../../../src/core/duration.ts'
import type { Overview, RecentEvent } from '../../../src/core/overview/overview.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { useHeld } from '../../parts/lists/use-held.ts'
import { StatusMark } from '../../parts/monitors/status.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'
import { RenewButton } from './renew-button.tsx'

/** The newest beginnings and ends of incidents. Like troubles, they keep their places. */
export function Events({ overview }: { overview: Overview }) {
  const { shown, comparedWith, renew } = useHeld(overview, {
    keep: (held, latest) => (held.events.length === 0 ? latest : held),
  })
  const newSince = comparedWith.at
  const known = new Set(shown.events.map(keyOf))
  const waiting = overview.events.filter((event) => !known.has(keyOf(event))).length
  return (
    <Panel
      title={t('Recent events')}
      actions={<RenewButton waiting={waiting} isStale={false} what={t('recent events')} onRenew={renew} />}
    >
      {shown.events.length === 0 ? (
        <p className="px-4 py-6 text-soft">{t('No incidents yet. Outages and recoveries appear here.')}</p>
      ) : (
        <ol className="divide-y divide-line">
          {shown.events.map((event) => (
            <Event key={keyOf(event)} event={event} isNew={event.at > newSince} />
          ))}
        </ol>
      )}
    </Panel>
  )
}

function keyOf({ incident_id, kind }: RecentEvent): string {
  return `${incident_id} ${kind}`
}

function Event({ event, isNew }: { event: RecentEvent; isNew: boolean }) {
  const { id } = useTeam()
  const isEnd = event.kind === 'resolved'
  return (
    <li data-row>
      <Link
        to="/teams/$team/incidents/$incident"
        params={{ team: String(id), incident: String(event.incident_id) }}
        className="flex gap-3 px-4 py-2.5 hover:bg-sunken"
      >
        <span className="pt-0.5">
          <StatusMark status={isEnd ? 'up' : 'down'} />
        </span>
        <span className="min-w-0 flex-1">
          <span className="block break-words">
            {isEnd
              ? t('{name} recovered', { name: event.monitor_name })
              : t('{name} went down', { name: event.monitor_name })}
          </span>
          <span className="block truncate text-sm text-soft">
            {isEnd && event.duration_seconds !== null
              ? t('after {duration}', { duration: formatDuration(event.duration_seconds) })
              : event.cause}
          </span>
        </span>
        <span className="w-28 shrink-0 text-sm text-soft">
          <Time at={event.at} />
          {isNew && <span className="block font-semibold text-accent">{t('New')}</span>}
        </span>
      </Link>
    </li>
  )
}
