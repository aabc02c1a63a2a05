import { useState } from 'react'
import { LiveStatus } from '../../../src/core/monitors/status.ts'
import type { Overview } from '../../../src/core/overview/overview.ts'
import type { TroubleGroup } from '../../../src/core/overview/trouble.ts'

type Line = Pick<TroubleGroup, 'key' | 'status'>

/**
 * Lines on a wall, where nobody can ask for what is new: each keeps its place while its trouble lasts. A new one takes the
 * place of one that is over, else the last place; where more are over than new, the last ones take their places. Worse
 * states stand above others.
 */
export function placeLines<One extends Line>(before: readonly Line[], latest: readonly One[]): One[] {
  return LiveStatus.options.flatMap((status) => {
    const ofStatus = (lines: readonly Line[]) => lines.filter((line) => line.status === status)
    return placeOfStatus(ofStatus(before), ofStatus(latest) as One[])
  })
}

function placeOfStatus<One extends Line>(before: readonly Line[], latest: readonly One[]): One[] {
  const byKey = new Map(latest.map((line) => [line.key, line]))
  const known = new Set(before.map(({ key }) => key))
  const came = latest.filter(({ key }) => !known.has(key))
  const places: (One | undefined)[] = before.map(({ key }) => byKey.get(key) ?? came.shift())
  places.push(...came)
  for (let gap = places.indexOf(undefined); gap !== -1; gap = places.indexOf(undefined)) {
    const last = places.pop()
    if (gap < places.length) places[gap] = last
  }
  return places as One[]
}

/** The overview for a wall. The keys of its lines are their places: what changes is written over, and moves nothing. */
export function useWallPlaces(overview: Overview): Overview {
  const [wall, setWall] = useState({ overview, lines: placeLines([], overview.troubles) })
  if (wall.overview !== overview) setWall({ overview, lines: placeLines(wall.lines, overview.troubles) })
  return { ...overview, troubles: wall.lines.map((line, place) => ({ ...line, key: String(place) })) }
}
