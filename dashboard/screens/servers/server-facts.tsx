import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatDuration } from '../../../src/core/duration.ts'
import type { ReportSource } from '../../../src/core/servers/machine-report.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { sayCount } from '../../language/count.ts'
import { rich, t } from '../../language/language.ts'
import { Fact, FactList, FactTile, FactTiles } from '../../parts/facts.tsx'
import { Panel } from '../../parts/panel.tsx'
import { sayBytes, sayLoad, sayNumber, sayPercent, sayValue } from '../../parts/servers/figures.ts'
import { Bar } from '../../parts/servers/usage-bar.tsx'
import { Time } from '../../parts/time.tsx'
import type { Server } from './server-data.ts'

const SOURCES: Record<ReportSource, string> = {
  agent: t('Agent'),
  opentelemetry: 'OpenTelemetry',
  influx: t('Influx line protocol'),
  prometheus: t('Prometheus remote write'),
}

/** The newest figures side by side. */
export function Figures({ server }: { server: Server }) {
  const { latest, machine, fullest } = server
  const total = latest.memory_total_bytes
  const available = latest.memory_available_bytes
  const used = total === undefined || available === undefined ? null : Math.max(0, total - available)
  return (
    <FactTiles className="grid-cols-2 border border-line md:grid-cols-3 xl:grid-cols-6">
      <FactTile name="CPU">
        <Share percent={server.cpu_percent}>
          {latest.cpu_iowait_percent !== undefined &&
            t('{percent} I/O wait', { percent: sayPercent(latest.cpu_iowait_percent) })}
        </Share>
      </FactTile>
      <FactTile name={t('Memory')}>
        <Share percent={server.memory_used_percent}>
          {used !== null && t('{used} of {total}', { used: sayBytes(used), total: sayBytes(total) })}
        </Share>
      </FactTile>
      <FactTile name={t('Fullest disk')}>
        <Share percent={fullest?.used_percent ?? null}>{fullest?.mount}</Share>
      </FactTile>
      <FactTile name={t('Load per CPU')}>
        {sayLoad(server.load_per_cpu)}
        <Below>
          {latest.load_1 !== undefined &&
            [latest.load_1, latest.load_5, latest.load_15].map((load) => sayLoad(load)).join(' · ')}
        </Below>
      </FactTile>
      {/* How long a machine has been running has a word of its own in other languages. */}
      <FactTile name={t('{of, select, machine {Uptime} other {Uptime}}', { of: 'machine' })}>
        {latest.uptime_seconds === undefined ? '–' : formatDuration(latest.uptime_seconds)}
        <Below>
          {machine?.cpus != null && t('{count, plural, one {# CPU} other {# CPUs}}', { count: machine.cpus })}
        </Below>
      </FactTile>
      <FactTile name={t('Last report')}>
        {server.last_report_at ? <Time at={server.last_report_at} /> : t('None yet')}
      </FactTile>
    </FactTiles>
  )
}

function Share({ percent, children }: { percent: number | null; children: ReactNode }) {
  return (
    <>
      {sayPercent(percent)}
      <Bar percent={percent} className="mt-1 mb-1.5" />
      <Below>{children}</Below>
    </>
  )
}

function Below({ children }: { children: ReactNode }) {
  return children && <span className="block text-sm font-normal break-all text-soft">{children}</span>
}

/** Facts that the machine reports, and the settings. */
export function MachineFacts({ server }: { server: Server }) {
  const { machine, latest } = server
  const facts: [name: string, value: ReactNode][] = [
    [t('Host name'), machine?.host_name],
    [t('System'), machine?.os],
    [t('Kernel'), machine && [machine.kernel, machine.architecture].filter(Boolean).join(' ')],
    [t('CPUs'), machine?.cpus],
    [t('Processes'), latest.processes !== undefined && sayCount(latest.processes)],
    [t('Failed units'), latest.failed_units !== undefined && sayCount(latest.failed_units)],
    [t('Clock'), latest.clock_skew_seconds !== undefined && sayClock(latest.clock_skew_seconds)],
    [
      t('Temperature'),
      latest.temperature_celsius !== undefined && sayValue(latest.temperature_celsius, 'celsius'),
    ],
    [
      t('Reports by'),
      machine &&
        `${SOURCES[machine.source]}${machine.agent_version === null ? '' : ` ${machine.agent_version}`}`,
    ],
    [t('Alerts'), <Contacts key="contacts" server={server} />],
    [t('Added'), <Time key="added" at={server.created_at} as="date" />],
    ['ID', server.id],
  ]
  return (
    <Panel title={t('Machine')}>
      <FactList>
        {facts.map(
          ([name, value]) =>
            value !== undefined &&
            value !== null &&
            value !== false &&
            value !== '' && (
              <Fact key={name} name={name}>
                {value}
              </Fact>
            ),
        )}
      </FactList>
    </Panel>
  )
}

/** Less is the time that a report was on its way. */
const NOTICED_SKEW_SECONDS = 2

function sayClock(skewSeconds: number): string {
  if (Math.abs(skewSeconds) < NOTICED_SKEW_SECONDS) return t('In sync')
  const seconds = sayNumber(Math.abs(skewSeconds))
  return skewSeconds > 0 ? t('{seconds} s fast', { seconds }) : t('{seconds} s slow', { seconds })
}

function Contacts({ server }: { server: Server }) {
  const { id: team } = useTeam()
  const ids = server.settings.contact_ids
  const { data } = useQuery({ ...question(team, 'listContacts', {}), enabled: ids.length > 0 })
  if (ids.length === 0) {
    return rich('Every <link>contact of the team</link>', {
      link: (inside) => (
        <Link to="/teams/$team/contacts" params={{ team: String(team) }} className="underline">
          {inside}
        </Link>
      ),
    })
  }
  return (
    <ul>
      {ids.map((id) => (
        <li key={id}>
          <Link
            to="/teams/$team/contacts/$contact"
            params={{ team: String(team), contact: String(id) }}
            className="underline"
          >
            {data?.data.find((contact) => contact.id === id)?.name ?? t('Contact {id}', { id })}
          </Link>
        </li>
      ))}
    </ul>
  )
}
