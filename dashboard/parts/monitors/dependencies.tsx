import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { phrase } from '../../../src/core/language/phrase.ts'
import type { IncidentHold } from '../../../src/core/monitors/options/shown-dependencies.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { LOCALE, rich, t } from '../../language/language.ts'
import { Panel } from '../panel.tsx'
import { StatusMark } from './status.tsx'

/** That alerts of a monitor wait while others are down; nothing where they do not. */
export function AlertsWait({ monitor }: { monitor: number }) {
  const { id: team } = useTeam()
  const { data } = useQuery(question(team, 'getMonitorDependencies', { id: monitor }))
  const { holders = [] } = data?.data ?? {}
  if (holders.length === 0) return null
  const names = new Intl.ListFormat(LOCALE).format(holders.map(({ name }) => name))
  return (
    <p role="status" className="rounded-lg border border-line bg-panel px-4 py-3">
      {t('Alerts wait while {names} {count, plural, one {is} other {are}} down.', {
        names,
        count: holders.length,
      })}
    </p>
  )
}

/** Why nobody was alerted of an incident, or later. */
export function HoldOfIncident({ hold, resolved }: { hold: IncidentHold; resolved: boolean }) {
  const { is_untold: isUntold, is_flapping: isFlapping, by } = hold
  if (!isUntold && by === null && !isFlapping) return null
  return (
    <p role="status" className="rounded-lg border border-line bg-panel px-4 py-3">
      {isFlapping
        ? t(FLAPPED[stateOf(isUntold, resolved)])
        : by === null
          ? withoutName(resolved)
          : rich(HELD[stateOf(isUntold, resolved)], { name: <MonitorLink of={by} /> })}
    </p>
  )
}

function stateOf(isUntold: boolean, resolved: boolean): keyof typeof HELD {
  if (!isUntold) return 'sent'
  return resolved ? 'never' : 'waits'
}

const HELD = {
  waits: phrase('No one is alerted yet: this monitor depends on {name}, which is down or was a moment ago.'),
  never: phrase('No one was alerted: this monitor depends on {name}, which was down.'),
  sent: phrase('Alerts waited until {name} had recovered.'),
} as const

const FLAPPED = {
  waits: phrase('Flapping: the next alert comes once it is steady again.'),
  never: phrase('This incident had no alerts of its own, because of flapping.'),
  sent: phrase('Alerts waited until the flapping had ended.'),
} as const

function withoutName(resolved: boolean): string {
  return resolved
    ? t('No one was alerted: it recovered before the monitors that it depends on were checked.')
    : t('No one is alerted yet: the monitors that it depends on are checked first.')
}

/** The monitors that depend on one, also by way of others; nothing where none does. */
export function Dependents({ monitor }: { monitor: number }) {
  const { id: team } = useTeam()
  const { data } = useQuery(question(team, 'getMonitorDependencies', { id: monitor }))
  const { dependents = [], dependents_count: count = 0 } = data?.data ?? {}
  if (count === 0) return null
  const rest = count - dependents.length
  return (
    <Panel title={t('Depending on it')} className="min-w-0">
      <ul className="flex flex-col gap-1.5 p-4">
        {dependents.map(({ id, name, status, is_held: isHeld }) => (
          <li key={id} className="flex min-w-0 flex-wrap items-center gap-x-3">
            <StatusMark named status={status} />
            <MonitorLink of={{ id, name }} />
            {isHeld && <span className="text-sm text-soft">{t('Its alert waits')}</span>}
          </li>
        ))}
        {rest > 0 && <li className="text-soft">{t('and {count, number} more', { count: rest })}</li>}
      </ul>
    </Panel>
  )
}

function MonitorLink({ of: { id, name } }: { of: { id: number; name: string } }): ReactNode {
  const { id: team } = useTeam()
  return (
    <Link
      to="/teams/$team/monitors/$monitor"
      params={{ team: String(team), monitor: String(id) }}
      className="min-w-0 break-words underline"
    >
      {name}
    </Link>
  )
}
