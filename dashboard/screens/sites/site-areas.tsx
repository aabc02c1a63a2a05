import { useState } from 'react'
import { AREA_NAMES, CRAWLED_AREAS, type SiteArea } from '../../../src/core/sites/area.ts'
import { ask, question } from '../../data/ask.ts'
import { asSentence } from '../../data/problem.ts'
import { useTeam } from '../../data/session.ts'
import { sayCount } from '../../language/count.ts'
import { rich, t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { StatusMark } from '../../parts/monitors/status.tsx'
import { Panel } from '../../parts/panel.tsx'
import { useRecordAction } from '../../parts/records/record-action.tsx'
import { NextLook } from '../../parts/sites/area-marks.tsx'
import { sayReasons } from '../../parts/sites/finding-words.ts'
import { Since, Time, TimeOfDay } from '../../parts/time.tsx'
import { SnoozeDialog } from './area-snooze.tsx'
import type { Area, Site } from './site-data.ts'

/** One line for each area of a site. */
export function SiteAreas({ site }: { site: Site }) {
  return (
    <Panel title={t('Areas')}>
      <ul className="divide-y divide-line">
        {site.areas.map((area) => (
          <Line key={area.area} site={site} area={area} />
        ))}
      </ul>
    </Panel>
  )
}

function Line({ site, area }: { site: Site; area: Area }) {
  const { may } = useTeam()
  const isLooked = area.is_on && site.is_active
  return (
    <li className="grid items-center gap-x-5 gap-y-1.5 px-4 py-2.5 md:grid-cols-[8.5rem_minmax(0,1fr)_auto]">
      <div>
        <span className="font-medium">{t(AREA_NAMES[area.area])}</span>
        <span className="block text-sm">
          {isLooked ? (
            <StatusMark named status={area.status} />
          ) : (
            <StatusMark named status="paused" word={area.is_on ? t('Paused') : t('Off')} />
          )}
        </span>
      </div>
      <div className="min-w-0">
        {(!isLooked || !isOnlyDoubted(area)) && (
          <p className="break-words">{isLooked ? sayWhatIs(area) : t('Not checked.')}</p>
        )}
        {isLooked && area.doubt !== null && <DoubtOf area={area} doubt={area.doubt} />}
        {isLooked && <Times site={site} area={area} />}
        {area.snoozed_until !== null && (
          <p className="text-sm break-words text-degraded">
            {rich('Snoozed until {time}', { time: <Time at={area.snoozed_until} as="date" /> })}
            {area.snooze_reason && `: ${area.snooze_reason}`}
          </p>
        )}
      </div>
      {isLooked && may('write') && <AreaActions site={site} area={area} />}
    </li>
  )
}

/** A crawl that is due runs, or waits for others; null before. */
function sayCrawling({ crawl, crawl_waits: waits }: Site): string | null {
  const hasBegun = crawl !== null && crawl.ended_at === null
  if (waits === null) return hasBegun ? t('Crawl under way') : null
  if (waits.for === 'team')
    return t('Waits for the crawl of another site of your team ({running} are running)', {
      running: sayCount(waits.running),
    })
  return t(
    hasBegun
      ? 'The crawl goes on when {running, plural, one {another crawl} other {one of # running crawls}} makes way'
      : 'The crawl begins when {running, plural, one {another crawl} other {one of # running crawls}} ends or makes way',
    { running: waits.running },
  )
}

/** Trouble that one look has seen, which is neither told nor the state of the area yet. */
function DoubtOf({ area: { next_look_at }, doubt }: { area: Area; doubt: string }) {
  return (
    <p className="text-sm break-words text-degraded">
      {next_look_at === null
        ? t('Seen once: {trouble}', { trouble: doubt })
        : rich('Seen once, checked again at {time}: {trouble}', {
            time: <TimeOfDay at={new Date(next_look_at)} />,
            trouble: doubt,
          })}
    </p>
  )
}

/** Nothing is known of it besides. */
function isOnlyDoubted({ cause, doubt }: Area): boolean {
  return doubt !== null && (cause === null || cause === doubt)
}

function sayWhatIs({ status, looked_at, cause_said }: Area): string {
  if (cause_said.length > 0) return asSentence(sayReasons(cause_said))
  if (looked_at === null) return t('Not checked yet.')
  return status === 'pending' ? t('Could not be judged.') : t('Nothing is wrong.')
}

function Times({ site, area }: { site: Site; area: Area }) {
  const { status, status_since, looked_at, next_look_at } = area
  const crawling = (CRAWLED_AREAS as readonly SiteArea[]).includes(area.area) ? sayCrawling(site) : null
  return (
    <p className="flex flex-wrap gap-x-3 text-sm text-soft">
      {status !== 'pending' && (
        <span>{rich('For {duration}', { duration: <Since at={status_since} /> })}</span>
      )}
      {looked_at !== null && <span>{rich('Checked {time}', { time: <Time at={looked_at} /> })}</span>}
      {next_look_at !== null && <span>{crawling ?? <NextLook at={next_look_at} />}</span>}
    </p>
  )
}

function AreaActions({ site, area }: { site: Site; area: Area }) {
  const { id: team } = useTeam()
  const [isSnoozing, setSnoozing] = useState(false)
  const name = t(AREA_NAMES[area.area])
  const answers = question(team, 'getSite', { id: site.id }).queryKey
  const look = useRecordAction(() => ask(team, 'lookAtSite', { id: site.id, body: { area: area.area } }), {
    answers,
    said: () => t('{name}: due now.', { name }),
  })
  const wake = useRecordAction(
    () => ask(team, 'snoozeSiteArea', { id: site.id, body: { area: area.area, until: null } }),
    { answers, said: () => t('{name}: alerts are on again.', { name }) },
  )
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        size="small"
        busy={look.isPending}
        onClick={() => look.mutate()}
        aria-label={t('Check now ({name})', { name })}
      >
        {t('Check now')}
      </Button>
      {area.snoozed_until === null ? (
        <Button size="small" onClick={() => setSnoozing(true)} aria-label={t('Snooze ({name})', { name })}>
          {t('Snooze…')}
        </Button>
      ) : (
        <Button
          size="small"
          busy={wake.isPending}
          onClick={() => wake.mutate()}
          aria-label={t('End snooze ({name})', { name })}
        >
          {t('End snooze')}
        </Button>
      )}
      <SnoozeDialog site={site} area={area} isOpen={isSnoozing} onClose={() => setSnoozing(false)} />
    </div>
  )
}
