import { formatDuration } from '../../../src/core/duration.ts'
import { sayCount } from '../../language/count.ts'
import { rich, t } from '../../language/language.ts'
import { Panel } from '../../parts/panel.tsx'
import { sayReasons } from '../../parts/sites/finding-words.ts'
import { Since, Time } from '../../parts/time.tsx'
import type { Site } from './site-data.ts'

/** The newest crawl of a site, while it runs or after. */
export function SiteCrawl({ site: { crawl } }: { site: Site }) {
  if (!crawl) return null
  const { started_at, ended_at, pages_done, pages_waiting, links_done, links_waiting } = crawl
  const isRunning = ended_at === null
  return (
    <Panel title={isRunning ? t('Crawl under way') : t('Last crawl')}>
      <div className="flex flex-col gap-3 px-4 py-3">
        <div className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
          <Progress name={t('Pages')} done={pages_done} waiting={pages_waiting} isRunning={isRunning} />
          <Progress name={t('Links')} done={links_done} waiting={links_waiting} isRunning={isRunning} />
        </div>
        <p className="flex flex-wrap gap-x-3 text-sm text-soft">
          <span>
            {rich(crawl.by_hand ? 'Began {time}, by hand' : 'Began {time}', {
              time: <Time at={started_at} />,
            })}
          </span>
          <span>
            {isRunning
              ? rich('Running for {duration}', { duration: <Since at={started_at} /> })
              : t('Took {duration}', {
                  duration: formatDuration((Date.parse(ended_at) - Date.parse(started_at)) / 1_000),
                })}
          </span>
          {crawl.cut_short.length > 0 && (
            <span className="text-degraded break-words">
              {t('Not everything was checked: {reason}', {
                reason: sayReasons(crawl.cut_short),
              })}
            </span>
          )}
        </p>
      </div>
    </Panel>
  )
}

function Progress({
  name,
  done,
  waiting,
  isRunning,
}: {
  name: string
  done: number
  waiting: number
  isRunning: boolean
}) {
  const known = done + waiting
  const said = isRunning
    ? t('{done} of {known} known so far', { done: sayCount(done), known: sayCount(known) })
    : sayCount(done)
  return (
    <div>
      <p className="flex justify-between gap-3">
        <span className="text-soft">{name}</span>
        <span>{said}</span>
      </p>
      {isRunning && (
        <progress
          aria-label={t('{name} checked', { name })}
          max={Math.max(known, 1)}
          value={done}
          className="mt-1 block h-2 w-full accent-accent"
        />
      )}
    </div>
  )
}
