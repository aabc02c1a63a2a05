import { useMemo } from 'react'
import { KEPT_BODY_BYTES, type PingKind } from '../../../src/core/monitors/ping.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Answered } from '../../parts/feedback/answered.tsx'
import { LazyPart, preloadable } from '../../parts/lazy-part.tsx'
import { HeldArea } from '../../parts/lists/held-list.tsx'
import { useOlder } from '../../parts/lists/older.tsx'
import { Empty, Panel } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'
import { LEAST_RUNS, runsOf, sayRun } from './chart/run-model.ts'
import { type Monitor, type Ping, usePings } from './monitor-data.ts'
import { PingBody } from './monitor-ping-body.tsx'

// The library that draws is heavy, and most jobs tell no starts.
const RunChart = preloadable(() => import('./chart/run-chart.tsx'))

const SHOWN = { first: 10, more: 50 }

const WORDS = {
  success: t('Success'),
  start: t('Started'),
  fail: t('Failed'),
  log: t('Note'),
} as const satisfies Record<PingKind, string>

/** The pings of a job, newest first. */
export function MonitorPings({ monitor }: { monitor: Monitor }) {
  const { id: team } = useTeam()
  const answer = usePings(team, monitor)
  const { held, older } = useOlder(answer, { ...SHOWN, keyOf })
  return (
    <Panel title={t('Received pings')} className="min-w-0">
      <Answered answer={answer} lines={4}>
        {() =>
          held.rows.length === 0 ? (
            <Empty title={t('Nothing received yet')}>
              {t('Pings are kept for up to 30 days, with the first {size} kB of their bodies.', {
                size: KEPT_BODY_BYTES / 1_000,
              })}
            </Empty>
          ) : (
            <HeldArea held={held}>
              <RunPlot monitor={monitor} pings={answer.data?.pages} />
              <ul aria-label={t('Pings')} className="divide-y divide-line">
                {held.rows.map((ping) => (
                  <PingLine key={keyOf(ping)} {...{ monitor, ping }} />
                ))}
              </ul>
            </HeldArea>
          )
        }
      </Answered>
      {older}
    </Panel>
  )
}

/** How long runs took, where it is known of some. */
function RunPlot({ monitor, pings }: { monitor: Monitor; pings: readonly { data: Ping[] }[] | undefined }) {
  const runs = useMemo(() => runsOf((pings ?? []).flatMap(({ data }) => data)), [pings])
  if (runs.length < LEAST_RUNS) return null
  return (
    // The list tells the same.
    <LazyPart failed={null}>
      <RunChart runs={runs} maxSeconds={monitor.options?.max_duration_seconds} />
    </LazyPart>
  )
}

function keyOf({ received_at, kind }: Ping): string {
  return received_at + kind
}

function PingLine({ monitor, ping }: { monitor: Monitor; ping: Ping }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-2">
      <span className="min-w-36">
        <Time at={ping.received_at} as="second" />
      </span>
      <span className={`min-w-16 font-medium ${ping.kind === 'fail' ? 'text-down' : ''}`}>
        {WORDS[ping.kind]}
      </span>
      <span className="text-sm text-soft">{detailOf(ping)}</span>
      {ping.body_bytes > 0 && <PingBody monitor={monitor} ping={ping} />}
    </li>
  )
}

function detailOf({ exit_status, duration_ms }: Ping): string {
  const said = [
    exit_status !== null && t('exit status {status}', { status: exit_status }),
    duration_ms !== null && t('took {duration}', { duration: sayRun(duration_ms / 1_000) }),
  ]
  return said.filter(Boolean).join(', ')
}
