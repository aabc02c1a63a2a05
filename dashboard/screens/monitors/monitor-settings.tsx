import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { MonitorCreate } from '../../../src/core/monitors/monitor.ts'
import { MONITOR_TYPES, usesSetting } from '../../../src/core/monitors/monitor-types.ts'
import { mayHaveCertificate } from '../../../src/core/monitors/options/security.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { sayOptions } from '../../forms/monitors/option-words.ts'
import { sayCount } from '../../language/count.ts'
import { rich, t } from '../../language/language.ts'
import { Fact, FactList } from '../../parts/facts.tsx'
import { Panel } from '../../parts/panel.tsx'
import { TagList } from '../../parts/tags/tag-chips.tsx'
import { Time } from '../../parts/time.tsx'
import type { Monitor } from './monitor-data.ts'

/** The certificate seen last, for targets that have one. */
export function Certificate({ monitor }: { monitor: Monitor }) {
  if (!mayHaveCertificate(monitor)) return null
  const { ssl_expires_at: expiresAt, ssl_days_remaining: days } = monitor
  return (
    <Panel title={t('Certificate')}>
      {expiresAt === null || days === null ? (
        <p className="px-4 py-3 text-soft">{t('Not read yet.')}</p>
      ) : (
        <FactList>
          <Fact name={days < 0 ? t('Expired') : t('Expires')}>
            <Time at={expiresAt} as="date" />
          </Fact>
          <Fact name={t('Days remaining')}>
            <DaysLeft days={days} warning={monitor.ssl_expiry_warning_days} />
          </Fact>
        </FactList>
      )}
    </Panel>
  )
}

function DaysLeft({ days, warning }: { days: number; warning: number }) {
  if (days < 0) return <strong className="text-down">{t('{days} (expired)', { days })}</strong>
  if (days <= warning) return <strong className="text-degraded">{t('{days} (renew now)', { days })}</strong>
  return sayCount(days)
}

type Line = { name: string; show: (monitor: Monitor) => ReactNode }

/** The screen shows the setting in its title, its target or its tiles, or beside the user name. */
const ELSEWHERE = null

/** Every setting, in the order of the panel. A line that shows nothing is left out for that monitor. */
const LINES = {
  name: ELSEWHERE,
  url: ELSEWHERE,
  port: ELSEWHERE,
  check_interval_minutes: ELSEWHERE,
  check_interval_seconds: ELSEWHERE,
  is_active: ELSEWHERE,
  type: { name: t('Type'), show: ({ type }) => t(MONITOR_TYPES[type].title) },
  http_method: { name: t('Method'), show: (monitor) => isWeb(monitor) && monitor.http_method },
  expected_status_codes: {
    name: t('Expected codes'),
    show: (monitor) => isWeb(monitor) && monitor.expected_status_codes.join(', '),
  },
  expected_keyword: {
    name: t('Keyword'),
    show: (monitor) => usesSetting(monitor.type, 'expected_keyword') && monitor.expected_keyword,
  },
  request_headers: {
    name: t('Headers'),
    show: (monitor) =>
      sendsHeaders(monitor) && monitor.request_headers && <Headers headers={monitor.request_headers} />,
  },
  username: {
    name: t('User name'),
    show: (monitor) => usesSetting(monitor.type, 'username') && credentials(monitor),
  },
  password: ELSEWHERE,
  request_timeout_seconds: {
    name: t('Timeout'),
    show: (monitor) =>
      usesSetting(monitor.type, 'request_timeout_seconds') && `${monitor.request_timeout_seconds} s`,
  },
  ssl_expiry_warning_days: {
    name: t('Expiry warning'),
    show: (monitor) =>
      mayHaveCertificate(monitor) &&
      t('{days, plural, one {# day before} other {# days before}}', {
        days: monitor.ssl_expiry_warning_days,
      }),
  },
  notification_contact_ids: { name: t('Alerts'), show: (monitor) => <Contacts monitor={monitor} /> },
  options: { name: t('Options'), show: ({ options }) => sayOptions(options) },
} as const satisfies Record<keyof MonitorCreate, Line | null>

/** The monitor's settings and contacts. Secrets appear as the service sends them to this role. */
export function MonitorSettings({ monitor }: { monitor: Monitor }) {
  const { id: team } = useTeam()
  const tags = useQuery(question(team, 'getMonitorTags', { id: monitor.id })).data?.data.tags ?? []
  return (
    <Panel title={t('Settings')}>
      <FactList>
        {shownOf(monitor).map(({ name, shown }) => (
          <Fact key={name} name={name}>
            {shown}
          </Fact>
        ))}
        {tags.length > 0 && (
          <Fact name={t('Tags')}>
            <TagList tags={tags} />
          </Fact>
        )}
        <Fact name={t('Created')}>
          <Time at={monitor.created_at} as="date" />
        </Fact>
        <Fact name={t('ID')}>{monitor.id}</Fact>
      </FactList>
    </Panel>
  )
}

function shownOf(monitor: Monitor) {
  const lines: (Line | null)[] = Object.values(LINES)
  return lines.flatMap((line) => {
    const shown = line?.show(monitor)
    return line && shown ? [{ name: line.name, shown }] : []
  })
}

function isWeb({ type }: Monitor): boolean {
  return usesSetting(type, 'http_method')
}

function sendsHeaders({ type }: Monitor): boolean {
  return usesSetting(type, 'request_headers')
}

function credentials({ username, has_password: hasPassword }: Monitor): ReactNode {
  return (
    username &&
    t(hasPassword ? '{username}, with a password' : '{username}, without a password', { username })
  )
}

function Headers({ headers }: { headers: Record<string, string> }) {
  return (
    <ul className="font-mono text-sm break-all">
      {Object.entries(headers).map(([name, value]) => (
        <li key={name}>
          {name}: {value}
        </li>
      ))}
    </ul>
  )
}

function Contacts({ monitor }: { monitor: Monitor }): ReactNode {
  const { id: team } = useTeam()
  if (monitor.notification_contacts.length === 0) {
    return rich('Every <link>contact of the team</link>', {
      link: (words) => (
        <Link to="/teams/$team/contacts" params={{ team: String(team) }} className="underline">
          {words}
        </Link>
      ),
    })
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
