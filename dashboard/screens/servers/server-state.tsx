import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { liveStatus } from '../../../src/core/monitors/status.ts'
import { sayConditionOf } from '../../../src/core/servers/condition-words.ts'
import { useTeam } from '../../data/session.ts'
import { rich, t } from '../../language/language.ts'
import { buttonLook } from '../../parts/button.tsx'
import { StatusMark, statusColour } from '../../parts/monitors/status.tsx'
import { Since, Time } from '../../parts/time.tsx'
import type { Server } from './server-data.ts'

const BORDERS = {
  down: 'border-2 border-down',
  degraded: 'border-2 border-degraded',
  maintenance: 'border-2 border-maintenance',
}

/** The state of a server with its causes, in words. It always takes the same space, so that trouble does not move what a person is reading. */
export function ServerState({ server }: { server: Server }) {
  const status = liveStatus(server)
  const isTrouble = status === 'down' || status === 'degraded' || status === 'maintenance'
  return (
    <div
      {...(status === 'down' && { role: 'alert' })}
      className={`flex min-h-18 flex-wrap items-center gap-x-4 gap-y-2 rounded-lg bg-panel px-4 py-2 ${isTrouble ? BORDERS[status] : 'border border-line'}`}
    >
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex items-center gap-2 font-semibold">
          <StatusMark named status={status} />
          <span className={`font-normal ${isTrouble ? statusColour(status) : 'text-soft'}`}>
            {server.last_report_at !== null &&
              rich('for {duration}', { duration: <Since at={server.status_since} /> })}
          </span>
        </p>
        {isTrouble && server.causes.length > 0 ? (
          <>
            <ul>
              {server.causes.map((cause) => (
                <li key={cause} className="break-words">
                  {cause}
                </li>
              ))}
            </ul>
            {server.now.length > 0 && (
              <p className="text-sm break-words text-soft">
                {t('Now: {readings}', { readings: server.now.join('; ') })}
              </p>
            )}
          </>
        ) : (
          <p>
            <Sentence server={server} />
          </p>
        )}
      </div>
      {server.last_report_at === null && server.is_active && <ShowInstall server={server} />}
    </div>
  )
}

function Sentence({ server }: { server: Server }): ReactNode {
  if (!server.is_active)
    return t('Paused: reports are refused, and there are no alerts until the server is resumed.')
  if (server.last_report_at === null)
    return server.not_understood
      ? t('Requests arrive, but no report yet.')
      : t('Waiting for the first report.')
  const beginning = server.conditions.filter(({ phase }) => phase === 'beginning')
  return (
    <>
      {rich('The last report came {time}.', { time: <Time at={server.last_report_at} /> })}
      {beginning.length > 0 && ' '}
      {beginning.length > 0 &&
        rich('Near a limit: {conditions}, for {duration}.', {
          conditions: beginning.map((condition) => sayConditionOf(condition, t)).join(', '),
          duration: <Since at={beginning[0]?.since ?? server.status_since} />,
        })}
    </>
  )
}

function ShowInstall({ server }: { server: Server }) {
  const { id, may } = useTeam()
  if (!may('write')) return null
  return (
    <Link
      to="/teams/$team/servers/$server"
      params={{ team: String(id), server: String(server.id) }}
      search={{ install: true }}
      className={buttonLook('main')}
    >
      {t('Install the agent')}
    </Link>
  )
}
