import { skipToken, useQuery } from '@tanstack/react-query'
import { WifiOff } from 'lucide-react'
import { OFFLINE_KEY, type Offline } from '../data/device/last-seen.ts'
import { rich, t } from '../language/language.ts'
import { useTitleMark } from '../parts/page-title.ts'
import { Time, TimeOfDay } from '../parts/time.tsx'

const HALF_A_DAY_MS = 12 * 3_600_000

/**
 * Warns that the screen below is out of date, since when, and of when it is if it was opened without a connection. It
 * stays in sight, and so does the mark in the browser's tab.
 */
export function NoConnection({ lostSince }: { lostSince: number | null }) {
  const { data: offline } = useQuery<Offline | null>({ queryKey: OFFLINE_KEY, queryFn: skipToken })
  const since = offline?.sinceMs ?? lostSince
  useTitleMark('connection', since === null ? null : t('No connection'))
  return (
    <div role="status" className="sticky top-0 z-10">
      {since !== null && (
        <p className="flex items-center gap-2.5 border-b border-degraded bg-panel px-4 py-2.5 sm:px-6 lg:px-8">
          <WifiOff aria-hidden size={18} className="shrink-0 text-degraded" />
          <span>
            <SinceWhen at={new Date(since)} />{' '}
            {offline && <>{rich('Shown as of {time}.', { time: <SeenAt ms={offline.seenAtMs} /> })} </>}
            {t('Retrying…')}
          </span>
        </p>
      )}
    </div>
  )
}

function SinceWhen({ at }: { at: Date }) {
  const time = <TimeOfDay at={at} />
  return (
    <>
      {navigator.onLine
        ? rich('No connection since {time}.', { time })
        : rich('Offline since {time}.', { time })}
    </>
  )
}

/** Names the day where the time alone could be read as that of another day. */
function SeenAt({ ms }: { ms: number }) {
  const at = new Date(ms)
  return Date.now() - ms < HALF_A_DAY_MS ? <TimeOfDay at={at} /> : <Time at={at.toISOString()} as="date" />
}
