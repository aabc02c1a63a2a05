import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { WindowDetail } from '../../../src/core/maintenance/shown-window.ts'
import { lengthInWords } from '../../../src/core/maintenance/window-words.ts'
import { Trouble } from '../../app/trouble.tsx'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { readerZone } from '../../data/zone-time.ts'
import { FactTile, FactTiles } from '../../parts/facts.tsx'
import { sayCount } from '../../parts/locale.ts'
import { NextTimes } from '../../parts/maintenance/next-times.tsx'
import { DayTime, SpanTime } from '../../parts/maintenance/window-time.tsx'
import { untilNextTurn } from '../../parts/maintenance/windows.ts'
import { PageHead, Panel, Waiting } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'
import { PastOccurrences } from './past-occurrences.tsx'
import { WindowActions } from './window-actions.tsx'
import { WindowAddresses } from './window-addresses.tsx'
import { CallOff } from './window-call-off.tsx'
import { WindowPost } from './window-post.tsx'

const KIND_WORDS = {
  one_off: 'Maintenance window, once',
  recurring: 'Maintenance window, recurring',
  switch: 'Maintenance switch',
} as const

/** The names of more would be a wall to read. */
const SHOWN_MONITORS = 100

export default function WindowScreen() {
  const { id: team } = useTeam()
  const { window: named } = useParams({ from: '/signed-in/teams/$team/maintenance/$window' })
  const { data, error } = useWindow(team, Number(named))
  if (data) return <WindowPage key={data.data.id} window={data.data} />
  return error ? <Trouble error={error} /> : <Waiting lines={8} />
}

export function useWindow(team: number, window: number) {
  return useQuery({
    ...question(team, 'getMaintenanceWindow', { id: window, query: { reader_zone: readerZone() } }),
    refetchInterval: ({ state }) => untilNextTurn(state.data && [state.data.data]),
  })
}

function WindowPage({ window }: { window: WindowDetail }) {
  const { may } = useTeam()
  const { kind, name, note, preview, sentence, fault } = window
  return (
    <>
      <PageHead title={name} actions={may('write') && <WindowActions window={window} />}>
        {KIND_WORDS[kind]}
      </PageHead>
      <div className="flex flex-col gap-5">
        {fault !== null && (
          <p role="alert" className="rounded-lg border border-degraded bg-panel px-4 py-3 text-degraded">
            This window has no effect. {fault}
          </p>
        )}
        <Turns window={window} />
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 xl:grid-cols-[minmax(0,1fr)_24rem]">
          <div className="flex min-w-0 flex-col gap-5">
            <Panel title="Plan">
              <div className="flex flex-col gap-4 p-4">
                <p className="font-medium break-words">{sentence}.</p>
                {note && <p className="break-words whitespace-pre-line">{note}</p>}
                <NextTimes preview={preview} />
                {may('write') && kind !== 'switch' && <CallOff window={window} />}
                {may('write') && <WindowPost window={window} />}
              </div>
            </Panel>
            {window.addresses && <WindowAddresses window={window} addresses={window.addresses} />}
          </div>
          <div className="flex min-w-0 flex-col gap-5">
            <Monitors window={window} />
            <Servers window={window} />
            <PastOccurrences window={window.id} />
          </div>
        </div>
      </div>
    </>
  )
}

function Turns({ window: { kind, current, next, fields } }: { window: WindowDetail }) {
  const maxMinutes = Number(fields.max_minutes)
  return (
    <FactTiles className="border border-line sm:grid-cols-2">
      <FactTile name="Now">
        {current ? (
          <>
            {kind === 'switch' ? 'On' : 'Under maintenance'} until <DayTime at={current.ends_at} />
            <span className="block text-sm font-normal text-soft">
              Started <Time at={current.starts_at} />, ends <Time at={current.ends_at} />
            </span>
          </>
        ) : kind === 'switch' ? (
          'Off'
        ) : (
          'Not under maintenance'
        )}
      </FactTile>
      {kind === 'switch' ? (
        <FactTile name="Turns itself off after">{lengthInWords(maxMinutes * 60)}</FactTile>
      ) : (
        <FactTile name="Next">
          {next ? (
            <>
              <SpanTime span={next} />
              <span className="block text-sm font-normal text-soft">
                <Time at={next.starts_at} />
              </span>
            </>
          ) : (
            'No more occurrences'
          )}
        </FactTile>
      )}
    </FactTiles>
  )
}

function Servers({ window: { servers, server_count } }: { window: WindowDetail }) {
  const { id } = useTeam()
  if (server_count === 0) return null
  const rest = server_count - Math.min(SHOWN_MONITORS, servers.length)
  return (
    <Panel title={`Servers (${sayCount(server_count)})`}>
      <ul className="max-h-80 divide-y divide-line overflow-y-auto">
        {servers.slice(0, SHOWN_MONITORS).map((server) => (
          <li key={server.id}>
            <Link
              to="/teams/$team/servers/$server"
              params={{ team: String(id), server: String(server.id) }}
              className="block px-4 py-2.5 break-words hover:bg-sunken"
            >
              {server.name}
            </Link>
          </li>
        ))}
        {rest > 0 && <li className="px-4 py-2.5 text-soft">and {sayCount(rest)} more</li>}
      </ul>
    </Panel>
  )
}

function Monitors({
  window: { all_subjects, monitors, monitor_count, server_count },
}: {
  window: WindowDetail
}) {
  const { id } = useTeam()
  if (monitor_count === 0 && server_count > 0) return null
  const rest = monitor_count - Math.min(SHOWN_MONITORS, monitors.length)
  return (
    <Panel title={all_subjects ? 'Monitors and servers' : `Monitors (${sayCount(monitor_count)})`}>
      {all_subjects ? (
        <p className="px-4 py-3">Everything in this team, including what you add later.</p>
      ) : (
        <ul className="max-h-80 divide-y divide-line overflow-y-auto">
          {monitors.slice(0, SHOWN_MONITORS).map((monitor) => (
            <li key={monitor.id}>
              <Link
                to="/teams/$team/monitors/$monitor"
                params={{ team: String(id), monitor: String(monitor.id) }}
                className="block px-4 py-2.5 break-words hover:bg-sunken"
              >
                {monitor.name}
              </Link>
            </li>
          ))}
          {rest > 0 && <li className="px-4 py-2.5 text-soft">and {sayCount(rest)} more</li>}
        </ul>
      )}
    </Panel>
  )
}
