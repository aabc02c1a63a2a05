import { type ReactNode, useState } from 'react'
import {
  type Container,
  fullUnitName,
  isContainerTrouble,
  isUnitTrouble,
  restartsWithinHour,
  sayUnitState,
} from '../../../src/core/servers/hosted.ts'
import { sayCount } from '../../language/count.ts'
import { rich, t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { StatusMark } from '../../parts/monitors/status.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Time, useNow } from '../../parts/time.tsx'
import type { Server } from './server-data.ts'

type List = NonNullable<NonNullable<Server['hosted']>['units']>
/** More lines are shown when they are asked for; those that are watched or in trouble come first. */
const MAX_LINES = 12

type Line = {
  name: string
  below: string | null
  isWatched: boolean
  isTrouble: boolean | null
  says: string
}

export function Containers({ server: { hosted, thresholds } }: { server: Server }) {
  const now = useNow()
  const { is_on, names } = thresholds.container
  const list = hosted?.containers ?? null
  const told = list?.list ?? []
  const lines = told.map((container): Line => {
    const { name, image, state, health } = container
    return {
      ...{ name, below: image, isWatched: is_on && names.includes(name) },
      isTrouble: isContainerTrouble(container),
      says: health === null ? state : `${state}, ${health}`,
    }
  })
  const counts = new Map(told.map((container) => [container.name, sayRestarts(container, new Date(now))]))
  const gone = is_on ? names.filter((name) => !counts.has(name)) : []
  const note = list
    ? sayNote(list)
    : is_on &&
      t(
        'Watched containers are not judged: no report tells of containers. Install the agent with --containers.',
      )
  return (
    <Hosted
      title={t('Containers')}
      heads={[t('Container'), t('State'), t('Restarts')]}
      lines={[...lines, ...goneLines(list, gone)]}
      note={note}
      none={list !== null && t('There are no containers.')}
      last={({ name }) => counts.get(name) ?? '–'}
    />
  )
}

export function Units({ server: { hosted, thresholds } }: { server: Server }) {
  const { is_on, names } = thresholds.unit
  const watched = is_on ? names.map(fullUnitName) : []
  const list = hosted?.units ?? null
  const told = list?.list ?? []
  const lines = told.map(
    (unit): Line => ({
      ...{ name: unit.name, below: null, isWatched: watched.includes(unit.name) },
      isTrouble: isUnitTrouble(unit),
      says: sayUnitState(unit),
    }),
  )
  const gone = watched.filter((name) => !told.some((unit) => unit.name === name))
  const note = list
    ? sayNote(list)
    : is_on && t('Watched units are not judged: no report tells of units. Install the agent with --units.')
  return (
    <Hosted
      title={t('Units of systemd')}
      heads={[t('Unit of systemd'), t('State')]}
      lines={[...lines, ...goneLines(list, gone)]}
      note={note}
      none={list !== null && t('There are no units.')}
    />
  )
}

/** A line for each name that is watched and absent from a list that was told as a whole. */
function goneLines(list: Omit<List, 'list'> | null, names: string[]): Line[] {
  if (list?.told !== 'all') return []
  return names.map((name) => ({ name, below: null, isWatched: true, isTrouble: true, says: t('missing') }))
}

function sayRestarts(container: Container, now: Date): string {
  if (container.restarts === null) return '–'
  const lately = restartsWithinHour(container, now)
  const all = sayCount(container.restarts)
  return lately > 0 ? t('{all} ({count} within an hour)', { all, count: sayCount(lately) }) : all
}

/** The reason why a list is old or a part: what is absent from it is unknown, not trouble. */
function sayNote({ told, trouble, since }: Omit<List, 'list'>): ReactNode {
  if (told === 'all') return null
  if (told === 'part')
    return t('The list is incomplete: {trouble}. All others count as unknown.', {
      trouble: trouble ?? '?',
    })
  const time = <Time at={since} />
  return trouble === null
    ? rich('Reports tell nothing of them since {time}. Nothing of it is judged meanwhile.', { time })
    : rich('The agent cannot list them since {time}: {trouble}. Nothing of it is judged meanwhile.', {
        time,
        trouble,
      })
}

function Hosted({
  title,
  heads,
  lines,
  note,
  none,
  last,
}: {
  title: string
  heads: string[]
  lines: Line[]
  note: ReactNode
  none: ReactNode
  last?: (line: Line) => ReactNode
}) {
  const [isWhole, setWhole] = useState(false)
  if (lines.length === 0 && !note && !none) return null
  const sorted = lines.toSorted((a, b) => urgency(a) - urgency(b) || (a.name < b.name ? -1 : 1))
  const shown = isWhole ? sorted : sorted.slice(0, MAX_LINES)
  return (
    <Panel title={title}>
      {note && <p className="border-b border-line px-4 py-3 text-sm break-words text-degraded">{note}</p>}
      {lines.length === 0 ? (
        !note && <p className="px-4 py-3 text-soft">{none}</p>
      ) : (
        <table className="w-full text-sm">
          <caption className="sr-only">{title}</caption>
          <thead className="text-soft">
            <tr className="border-b border-line">
              {heads.map((head, index) => (
                <th
                  key={head}
                  className={`px-2 py-2 font-medium first:pl-4 last:pr-4 ${index === 2 ? 'text-right' : 'text-left'}`}
                >
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {shown.map((line) => (
              <tr key={line.name}>
                <th scope="row" className="px-4 py-2 text-left font-normal">
                  <bdi className="font-mono break-all">{line.name}</bdi>
                  {line.isWatched && <span className="ml-2 text-soft">{t('watched')}</span>}
                  {line.below && <bdi className="block break-all text-soft">{line.below}</bdi>}
                </th>
                <td className="px-2 py-2 last:pr-4">
                  <StatusMark named status={markOf(line)} word={line.says} />
                </td>
                {last && <td className="px-2 py-2 pr-4 text-right">{last(line)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {shown.length < lines.length && (
        <div className="border-t border-line px-4 py-2">
          <Button size="small" onClick={() => setWhole(true)}>
            {t('Show all {count, number}', { count: lines.length })}
          </Button>
        </div>
      )}
    </Panel>
  )
}

function urgency({ isWatched, isTrouble }: Line): number {
  return Number(!(isWatched && isTrouble)) * 2 + Number(!isWatched)
}

/** One that nobody watches may have ended as it should. */
function markOf({ isWatched, isTrouble }: Line) {
  if (isTrouble === null) return 'pending'
  if (!isTrouble) return 'up'
  return isWatched ? 'down' : 'paused'
}
