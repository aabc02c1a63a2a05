import type { WindowRow } from '../../../src/core/maintenance/shown-window.ts'
import { sayCount } from '../locale.ts'

/** The subjects of a window in a few words. */
export function saySubjects({
  all_subjects,
  monitor_count,
  monitors,
  server_count,
  servers,
}: Pick<WindowRow, 'all_subjects' | 'monitor_count' | 'monitors' | 'server_count' | 'servers'>): string {
  if (all_subjects) return 'Everything'
  const named = [...monitors, ...servers]
  const rest = monitor_count + server_count - named.length
  if (named.length === 0) return saySubjectCount(monitor_count, server_count)
  return `${named.map(({ name }) => name).join(', ')}${rest > 0 ? ` and ${sayCount(rest)} more` : ''}`
}

/** `2 monitors and 1 server`. */
export function saySubjectCount(monitors: number, servers: number): string {
  const counted = [
    ...(monitors > 0 || servers === 0
      ? [`${sayCount(monitors)} ${monitors === 1 ? 'monitor' : 'monitors'}`]
      : []),
    ...(servers > 0 ? [`${sayCount(servers)} ${servers === 1 ? 'server' : 'servers'}`] : []),
  ]
  return counted.join(' and ')
}
