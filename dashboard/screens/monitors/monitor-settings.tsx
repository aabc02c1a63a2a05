import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { MONITOR_TYPES, usesHostOnly, usesSetting } from '../../../src/core/monitors/monitor-types.ts'
import { useTeam } from '../../data/session.ts'
import { Fact, FactList } from '../../parts/facts.tsx'
import { sayCount } from '../../parts/locale.ts'
import { Panel } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'
import type { Monitor } from './monitor-data.ts'

/** The certificate that was seen last; kept in place for targets that have one. */
export function Certificate({ monitor }: { monitor: Monitor }) {
  const isTls = !usesHostOnly(monitor.type) && monitor.url?.startsWith('https:')
  if (!isTls) return null
  const { ssl_expires_at: expiresAt, ssl_days_remaining: days } = monitor
  return (
    <Panel title="Certificate">
      {expiresAt === null || days === null ? (
        <p className="px-4 py-3 text-soft">It has not been read yet.</p>
      ) : (
        <FactList>
          <Fact name={days < 0 ? 'Expired' : 'Expires'}>
            <Time at={expiresAt} as="date" />
          </Fact>
          <Fact name="Days remaining">
            <DaysLeft days={days} warning={monitor.ssl_expiry_warning_days} />
          </Fact>
        </FactList>
      )}
    </Panel>
  )
}

function DaysLeft({ days, warning }: { days: number; warning: number }) {
  if (days < 0) return <strong className="text-down">{days}: it has expired</strong>
  if (days <= warning) return <strong className="text-degraded">{days}: renew it</strong>
  return sayCount(days)
}

/** How it is checked and who is told. Secrets stand as the service sends them to this role. */
export function MonitorSettings({ monitor }: { monitor: Monitor }) {
  const isWeb = usesSetting(monitor.type, 'http_method')
  return (
    <Panel title="Settings">
      <FactList>
        <Fact name="Type">{MONITOR_TYPES[monitor.type].title}</Fact>
        {isWeb && (
          <>
            <Fact name="Method">{monitor.http_method}</Fact>
            <Fact name="Expected codes">{monitor.expected_status_codes.join(', ')}</Fact>
          </>
        )}
        {usesSetting(monitor.type, 'expected_keyword') && (
          <Fact name="Keyword">{monitor.expected_keyword}</Fact>
        )}
        {isWeb && monitor.request_headers && (
          <Fact name="Headers">
            <ul className="font-mono text-sm break-all">
              {Object.entries(monitor.request_headers).map(([name, value]) => (
                <li key={name}>
                  {name}: {value}
                </li>
              ))}
            </ul>
          </Fact>
        )}
        {isWeb && monitor.username && (
          <Fact name="Signs in as">
            {monitor.username}
            {monitor.has_password ? ', with a password' : ', without a password'}
          </Fact>
        )}
        {usesSetting(monitor.type, 'request_timeout_seconds') && (
          <Fact name="Time-out">{monitor.request_timeout_seconds} s</Fact>
        )}
        {monitor.url?.startsWith('https:') && (
          <Fact name="Warns of expiry">{monitor.ssl_expiry_warning_days} days before</Fact>
        )}
        <Fact name="Alerts">
          <Contacts monitor={monitor} />
        </Fact>
        <Fact name="Created">
          <Time at={monitor.created_at} as="date" />
        </Fact>
        <Fact name="ID">{monitor.id}</Fact>
      </FactList>
    </Panel>
  )
}

function Contacts({ monitor }: { monitor: Monitor }): ReactNode {
  const { id: team } = useTeam()
  if (monitor.notification_contacts.length === 0) {
    return (
      <>
        Every{' '}
        <Link to="/teams/$team/contacts" params={{ team: String(team) }} className="underline">
          contact of the team
        </Link>
      </>
    )
  }
  return (
    <ul>
      {monitor.notification_contacts.map(({ id, name }) => (
        <li key={id}>
          <Link
            to="/teams/$team/contacts/$contact"
            params={{ team: String(team), contact: String(id) }}
            className="underline"
          >
            {name}
          </Link>
        </li>
      ))}
    </ul>
  )
}
