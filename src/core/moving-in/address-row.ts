import { CHECK_INTERVALS_MINUTES } from '../monitors/monitor.ts'
import { MonitorType, neededSettings, schemesOf, usesSetting } from '../monitors/monitor-types.ts'
import { OPTION_NAMES, optionOf } from '../monitors/options/monitor-options.ts'
import { parseTarget } from '../monitors/target.ts'

/** The cells of a row of a list, as they are written. */
export type ListCells = Partial<
  Record<
    'url' | 'name' | 'type' | 'interval' | 'seconds' | 'port' | 'username' | 'password' | 'keyword' | 'tags',
    string
  >
> & {
  /** Those that are not empty, by the names of their options. */
  options?: ReadonlyMap<string, string>
}

/** A monitor as a row describes it, with guesses where it says nothing; nothing is judged yet. */
export type ListedMonitor = {
  type: string
  url: string
  name: string
  port: number | string | null
  username?: string
  password?: string
  expected_keyword: string | null
  check_interval_minutes: number
  check_interval_seconds: number | string | null
  tags?: string[]
  options?: Record<string, unknown>
}

/** Ports at which websites answer. */
const WEB_PORTS = ['80', '443', '3000', '8000', '8080', '8443']
/** Schemes that no URL of their type has. */
const TYPES_OF_SCHEMES: Record<string, MonitorType> = { ping: 'icmp' }
/** The types that connect to a port of their own. */
const OF_PORTS: readonly string[] = MonitorType.options.filter((type) =>
  neededSettings(type).includes('port'),
)
/** The types that look for a text. */
const OF_KEYWORDS: readonly string[] = MonitorType.options.filter((type) =>
  usesSetting(type, 'expected_keyword'),
)
const UNITS: Record<string, number> = { s: 1, sec: 1, m: 60, min: 60, h: 3_600 }
/** `5`, `30 s`, `2min`. A number alone is minutes. */
const INTERVAL = /^(\d{1,9})\s*([a-z]*)$/i

/** `minutes`: the interval of a row that names none. */
export function monitorOfRow(row: ListCells, minutes: number): ListedMonitor {
  const { url = '', name = '', username = '', password = '', keyword = '', tags = '', options } = row
  const type = row.type?.toLowerCase() || guessedType(url, keyword, row.port)
  return {
    type,
    url,
    name,
    port: OF_PORTS.includes(type) ? portOf(row.port || (parseTarget(withScheme(url))?.port ?? '')) : null,
    ...(username !== '' && { username }),
    ...(password !== '' && { password }),
    expected_keyword: (OF_KEYWORDS.includes(type) && keyword) || null,
    ...intervalOf(row, minutes),
    ...(tags !== '' && {
      tags: tags
        .split(/[,;|]/)
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ''),
    }),
    ...(options && {
      options: Object.fromEntries([...options].map(([option, cell]) => [option, optionIn(option, cell)])),
    }),
  }
}

/** The text itself where the option takes it, otherwise the JSON that it is. The schema refuses all else, and says why. */
function optionIn(option: string, cell: string): unknown {
  const known = OPTION_NAMES.find((name) => name === option)
  if (known === undefined || optionOf(known).schema.safeParse(cell).success) return cell
  try {
    return JSON.parse(cell)
  } catch {
    return cell
  }
}

/** The scheme tells it; without one the port does, and an IP address without any is pinged. */
function guessedType(url: string, keyword: string, port: string | undefined): MonitorType {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase()
  if (keyword !== '') return 'keyword'
  if (scheme !== undefined) return typeOfScheme(scheme)
  const target = parseTarget(withScheme(url))
  // The port 80 of http is left out by the rules of URLs.
  const written = port || (/:(\d{1,5})(?:[/?#]|$)/.exec(url)?.[1] ?? '')
  if (written !== '' && !WEB_PORTS.includes(written))
    return (OF_PORTS[0] as MonitorType | undefined) ?? 'http'
  const isNumber =
    target !== null && (/^\d+(\.\d+){3}$/.test(target.hostname) || target.hostname.startsWith('['))
  return isNumber && written === '' ? 'icmp' : 'http'
}

function typeOfScheme(scheme: string): MonitorType {
  const named = MonitorType.safeParse(scheme)
  if (named.success) return named.data
  return (
    TYPES_OF_SCHEMES[scheme] ??
    MonitorType.options.find((type) => schemesOf(type)?.includes(scheme)) ??
    'http'
  )
}

function withScheme(url: string): string {
  return url.includes('://') ? url : `http://${url}`
}

function portOf(text: string): number | string | null {
  if (text === '') return null
  return /^\d+$/.test(text) ? Number(text) : text
}

function intervalOf({ interval = '', seconds: exact = '' }: ListCells, minutes: number) {
  if (interval === '' && exact === '')
    return { check_interval_minutes: minutes, check_interval_seconds: null }
  const written = exact === '' ? interval : `${exact} s`
  const [, count, unit = ''] = INTERVAL.exec(written) ?? []
  const factor = unit === '' ? 60 : UNITS[unit.toLowerCase()]
  // A text that is no interval is refused by the schema, which says what it takes.
  if (count === undefined || factor === undefined) {
    return { check_interval_minutes: minutes, check_interval_seconds: written }
  }
  const seconds = Number(count) * factor
  const whole = CHECK_INTERVALS_MINUTES.find((offered) => offered * 60 === seconds)
  return whole === undefined
    ? { check_interval_minutes: minutes, check_interval_seconds: seconds }
    : { check_interval_minutes: whole, check_interval_seconds: null }
}
