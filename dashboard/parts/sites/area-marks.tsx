import { AREA_NAMES } from '../../../src/core/sites/area.ts'
import type { ShownArea } from '../../../src/core/sites/shown-site.ts'
import { rich, t } from '../../language/language.ts'
import { StatusMark, statusWord } from '../monitors/status.tsx'
import { Time, useNow } from '../time.tsx'
import { sayReasons } from './finding-words.ts'

/** The areas of a site that are on, each as a small mark with its name. */
export function AreaMarks({ areas, isPaused }: { areas: readonly ShownArea[]; isPaused: boolean }) {
  return (
    <ul aria-label={t('Areas')} className="flex flex-wrap gap-x-3 gap-y-0.5 text-sm">
      {areas
        .filter(({ is_on }) => is_on)
        .map((area) => (
          <li
            key={area.area}
            className="flex items-center gap-1 whitespace-nowrap text-soft"
            title={sayReasons(area.cause_said) || statusWord(area.status)}
          >
            <StatusMark status={isPaused ? 'paused' : area.status} size={12} />
            {sayArea(area)}
          </li>
        ))}
    </ul>
  )
}

function sayArea({ area, snoozed_until }: ShownArea): string {
  const name = t(AREA_NAMES[area])
  return snoozed_until === null ? name : t('{area} (snoozed)', { area: name })
}

/** The earliest look that is planned. */
export function nextLookOf(areas: readonly ShownArea[]): string | null {
  const planned = areas.flatMap(({ next_look_at }) => (next_look_at === null ? [] : [next_look_at]))
  return planned.sort()[0] ?? null
}

/** When the next look is; null for none. A time that has passed would look like one that was missed. */
export function NextLook({ at }: { at: string | null }) {
  const now = useNow()
  if (at === null) return t('No check planned')
  if (Date.parse(at) <= now) return t('Due now')
  return <>{rich('Next check {time}', { time: <Time at={at} /> })}</>
}
