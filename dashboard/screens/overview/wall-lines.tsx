import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Overview } from '../../../src/core/overview/overview.ts'
import type { TroubleGroup } from '../../../src/core/overview/trouble.ts'
import { sayCount } from '../../language/count.ts'
import { t } from '../../language/language.ts'
import { FlappingCount, FlappingMark } from '../../parts/alerting/flapping.tsx'
import { StatusMark } from '../../parts/monitors/status.tsx'
import { AcknowledgedCount, AcknowledgedMark } from '../../parts/on-call/acknowledged-mark.tsx'
import { Since } from '../../parts/time.tsx'
import { sayTrouble } from './trouble-words.ts'
import { type Room, wallPage } from './wall-pages.ts'

/** Heights in em. A line has the same one, whatever stands in it, so that it is known how many fit. */
const HEIGHTS = { line: 3.6, gap: 0.4, more: 1.6 } as const

/** Long enough to read a page from across the room. */
const TURN_MS = 10_000

/** As many lines as fit, whole; what does not fit is counted below them and named, and comes in its turn. */
export function WallLines({ overview: { troubles, troubles_rest: rest } }: { overview: Overview }) {
  const frame = useRef<HTMLDivElement>(null)
  const room = useRoom(frame)
  const [turn, setTurn] = useState(0)
  const { shown, hidden, pages } = wallPage(troubles, room, turn)
  useTurns(pages, setTurn)
  return (
    <div ref={frame} className="flex min-h-0 flex-1 flex-col gap-[0.4em] overflow-hidden">
      {/* It takes all the room, so that a last page with fewer lines does not move the count below them. */}
      <ul aria-label={t('Needs attention')} className="flex shrink-0 grow flex-col gap-[0.4em]">
        {shown.map((group) => (
          <Line key={group.key} group={group} />
        ))}
      </ul>
      {(hidden.length > 0 || rest > 0) && (
        <p className="h-[1.6em] shrink-0 truncate text-soft">{sayHidden(hidden, rest)}</p>
      )}
    </div>
  )
}

function Line({ group }: { group: TroubleGroup }) {
  const { title, detail } = sayTrouble(group)
  return (
    <li className="flex h-[3.6em] items-center gap-[0.7em] overflow-hidden rounded-lg border border-line bg-panel px-[0.7em]">
      <StatusMark status={group.status} size={28} />
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-[0.7em]">
          <span className="truncate font-medium">{title}</span>
          <Flapping group={group} />
          <Acknowledged group={group} />
        </span>
        <span className="block min-h-[1lh] truncate text-sm text-soft">{detail}</span>
      </span>
      <span className="shrink-0 text-sm text-soft">
        <Since at={group.began} />
      </span>
    </li>
  )
}

function Flapping({ group: { ids, flapping, subjects } }: { group: TroubleGroup }) {
  const [only] = ids.length === 1 ? subjects : []
  return only ? (
    <FlappingMark since={only.flapping_since} />
  ) : (
    <FlappingCount count={flapping} of={ids.length} />
  )
}

function Acknowledged({ group: { ids, acknowledged, subjects } }: { group: TroubleGroup }) {
  const holder = ids.length === 1 ? subjects[0]?.acknowledgement : null
  if (holder) return <AcknowledgedMark holder={holder} className="max-w-[45%] shrink-0" />
  return acknowledged > 0 && <AcknowledgedCount count={acknowledged} of={ids.length} />
}

/** `+ 3 more: Shop, Search, Ledger`, by their number whatever is cut off. */
function sayHidden(hidden: readonly TroubleGroup[], rest: number): string {
  const count = hidden.reduce((sum, { ids }) => sum + ids.length, rest)
  const names = hidden.map((group) => sayTrouble(group).title).join(', ')
  const said = t('+ {count} more', { count: sayCount(count) })
  return names === '' ? said : `${said}: ${names}`
}

/** The heights that decide how many lines fit, measured anew whenever the frame changes; null until they are known. */
function useRoom(frame: RefObject<HTMLDivElement | null>): Room | null {
  const [room, setRoom] = useState<Room | null>(null)
  useLayoutEffect(() => {
    const box = frame.current
    if (!box) return
    const measure = () => {
      const em = Number.parseFloat(getComputedStyle(box).fontSize)
      const [line, gap, more] = [HEIGHTS.line * em, HEIGHTS.gap * em, HEIGHTS.more * em]
      setRoom({ height: box.clientHeight, line, gap, more })
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    return () => observer.disconnect()
  }, [frame])
  return room
}

/** Turns by itself, unless the reader wants nothing to move; the arrow keys turn in any case. */
function useTurns(pages: number, setTurn: (next: (turn: number) => number) => void) {
  useEffect(() => {
    if (pages < 2) return
    const step = (by: number) => setTurn((turn) => turn + by)
    const press = ({ key }: KeyboardEvent) => {
      if (key === 'ArrowRight') step(1)
      if (key === 'ArrowLeft') step(-1)
    }
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
    const timer = isStill ? undefined : setInterval(() => step(1), TURN_MS)
    window.addEventListener('keydown', press)
    return () => {
      clearInterval(timer)
      window.removeEventListener('keydown', press)
    }
  }, [pages, setTurn])
}
