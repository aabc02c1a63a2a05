import Papa from 'papaparse'
import { type Said, said } from '../language/said.ts'
import { DeclaredMonitor } from '../monitors/declaration.ts'
import { CHECK_INTERVALS_MINUTES, type Monitor } from '../monitors/monitor.ts'
import { createRules, type RuleContext } from '../monitors/monitor-rules.ts'
import { identityOf, MonitorType } from '../monitors/monitor-types.ts'
import { OPTION_NAMES } from '../monitors/options/monitor-options.ts'
import { completeUrl, nameOf, parseTarget } from '../monitors/target.ts'
import { MASK } from '../teams/access.ts'
import { broken, type Faults, type Parsed, parseFields } from '../validation.ts'
import { type ListCells, type ListedMonitor, monitorOfRow } from './address-row.ts'
import type { Matches } from './match.ts'
import { unusedName } from './names.ts'

/** Longer lists are for `upbeat apply`, which makes thousands. */
export const MAX_LIST_ROWS = 500
export const MAX_LIST_BYTES = 256 * 1_024

/** One row: the monitor that it asks for, or what is wrong with it. `row` counts from 1, as spreadsheets do. */
export type ListRow = { row: number; given: string } & Parsed<DeclaredMonitor>

export type AddressList = { rows: ListRow[]; fault: Said | null }

/** Words in cells of the first row, in any case. */
const COLUMNS: Record<string, Exclude<keyof ListCells, 'options'>> = {
  url: 'url',
  address: 'url',
  target: 'url',
  host: 'url',
  name: 'name',
  title: 'name',
  friendly_name: 'name',
  type: 'type',
  interval: 'interval',
  check_interval_minutes: 'interval',
  check_interval_seconds: 'seconds',
  interval_seconds: 'seconds',
  port: 'port',
  username: 'username',
  user: 'username',
  password: 'password',
  keyword: 'keyword',
  expected_keyword: 'keyword',
  tags: 'tags',
}

/** The column of an option, such as `options.attempts`. */
const OPTION = /^options\.(.+)$/

/** An address, and a name after a space, a comma or a semicolon. Those of a query belong to the address. */
const LINE = /^([^\s,;?#]+(?:[?#]\S*)?)(?:[\s,;]+(.*))?$/

/**
 * Reads a list of addresses, one a line with or without a name, or CSV whose first row names its columns. Fields that a
 * row leaves out are guessed. `minutes`: the interval of rows without one.
 */
export function readAddressList(text: string, minutes: number, context: RuleContext): AddressList {
  if (new TextEncoder().encode(text).length > MAX_LIST_BYTES) {
    return { rows: [], fault: said('has more than {max} KiB', { max: MAX_LIST_BYTES / 1_024 }) }
  }
  const given = rowsOf(text.replace(/^\uFEFF/, ''))
  if (given.length > MAX_LIST_ROWS) {
    const fault = said('has {count} rows: at most {max} are added at once', {
      count: given.length,
      max: MAX_LIST_ROWS,
    })
    return { rows: [], fault }
  }
  const listed = given.map((row) => ({ ...row, monitor: monitorOfRow(row.cells, minutes) }))
  const hosts = Map.groupBy(listed, ({ monitor }) => hostOf(monitor))
  const taken = new Set<string>()
  const first = new Map<string, number>()
  const rows = listed.map(({ row, shown, monitor }): ListRow => {
    const isAlone = hosts.get(hostOf(monitor))?.length === 1
    const judged = judge({ ...monitor, name: monitor.name || guessedName(monitor, isAlone) }, context)
    if (!judged.ok) return { row, given: shown, ...judged }
    const key = keyOf(judged.value)
    const before = first.get(key)
    if (before !== undefined) {
      return { row, given: shown, ...broken({ url: [said('is in row {row} already', { row: before })] }) }
    }
    first.set(key, row)
    const name = unusedName(judged.value.name, taken)
    taken.add(name)
    return { row, given: shown, ok: true, value: { ...judged.value, name } }
  })
  return { rows, fault: null }
}

/** The monitors of a list beside those that the team has: one with the same type, address and port is there already. */
export function matchAddresses({ rows }: Pick<AddressList, 'rows'>, team: readonly Monitor[]): Matches {
  const known = new Map(team.map((monitor) => [keyOf(monitor), monitor]))
  const monitors = rows.flatMap((row) =>
    row.ok ? [{ wanted: row.value, existing: known.get(keyOf(row.value)) ?? null }] : [],
  )
  return { contacts: [], monitors, windows: [], pages: [], skipped: [], notes: [] }
}

function rowsOf(text: string): { row: number; shown: string; cells: ListCells }[] {
  const lines = text.split(/\r\n|\n|\r/)
  const head = lines.find((line) => line.trim() !== '') ?? ''
  const delimiter = ['\t', ';', ','].find((sign) => head.includes(sign)) ?? ','
  const titles = (Papa.parse<string[]>(head, { delimiter }).data[0] ?? []).map(columnOf)
  if (!titles.some((title) => COLUMNS[title] === 'url'))
    return lines.flatMap((line, index) => lineOf(line.trim(), index + 1))
  const rows = Papa.parse<string[]>(text, { delimiter }).data
  const begins = rows.findIndex((cells) => cells.some((cell) => cell.trim() !== ''))
  return rows.flatMap((cells, index) => {
    if (index <= begins || cells.every((cell) => cell.trim() === '')) return []
    const options = new Map<string, string>()
    const named = cells.flatMap((cell, column) => {
      const title = titles[column] ?? ''
      const [, option] = OPTION.exec(title) ?? []
      if (option !== undefined && cell.trim() !== '') options.set(option, cell.trim())
      const name = COLUMNS[title]
      return name ? [[name, cell.trim()] as const] : []
    })
    const found = { ...Object.fromEntries(named), ...(options.size > 0 && { options }) }
    const shown = cells.map((cell, column) =>
      cell !== '' && COLUMNS[titles[column] ?? ''] === 'password' ? MASK : cell,
    )
    return [{ row: index + 1, shown: shown.join(delimiter), cells: found }]
  })
}

function columnOf(name: string): string {
  return name.trim().toLowerCase().replaceAll(' ', '_')
}

function lineOf(line: string, row: number) {
  if (line === '' || line.startsWith('#')) return []
  const [, url = line, name = ''] = LINE.exec(line) ?? []
  return [{ row, shown: line, cells: { url: url.replace(/[,;]+$/, ''), name: name.trim() } }]
}

function judge({ name, ...monitor }: ListedMonitor, context: RuleContext): Parsed<DeclaredMonitor> {
  const { type, url } = monitor
  const guessed = MonitorType.safeParse(type)
  const fields = { ...monitor, name, url: guessed.success ? completeUrl(guessed.data, url) : url }
  const unfit = optionFaultsOf(monitor.options)
  if (unfit) return broken(unfit)
  const parsed = parseFields(DeclaredMonitor, fields, createRules(context))
  if (parsed.ok) return parsed
  const faults: Faults = { ...parsed.faults }
  // Without an address there is no name to guess: one fault is enough.
  if (faults.url && name === '') delete faults.name
  return broken(faults)
}

/** Options that no row can have: unknown ones, and links, which go by ID in requests and by name in files. */
function optionFaultsOf(options: ListedMonitor['options'] = {}): Faults | null {
  const known: readonly string[] = OPTION_NAMES
  const unknown = Object.keys(options).filter((name) => !known.includes(name))
  const links = ['depends_on', 'members'].filter((link) => Array.isArray(options[link]))
  const message = said('takes monitors, which a list cannot name: choose them once they are added')
  const faults: Faults = Object.fromEntries(links.map((link) => [`options.${link}`, [message]]))
  if (unknown.length > 0)
    faults.options = [
      said('do not have {option}: check the title of the column', { option: unknown.join(', ') }),
    ]
  return Object.keys(faults).length > 0 ? faults : null
}

function hostOf({ type, url }: ListedMonitor): string {
  const known = MonitorType.safeParse(type)
  return known.success ? nameOf(completeUrl(known.data, url)) : ''
}

/** The host, and the path where several rows have the same host. */
function guessedName(monitor: ListedMonitor, isAlone: boolean): string {
  const host = hostOf(monitor)
  const known = MonitorType.safeParse(monitor.type)
  const target = known.success ? parseTarget(completeUrl(known.data, monitor.url)) : null
  return isAlone || !target || target.pathname === '/' ? host : `${host}${target.pathname}`
}

/** The same for two monitors that a list adds once. */
function keyOf(
  monitor: Pick<DeclaredMonitor, 'type' | 'url' | 'port' | 'name' | 'expected_keyword'>,
): string {
  const { type, url } = monitor
  const address = url === null ? null : (parseTarget(url)?.href ?? url)
  return JSON.stringify([type, ...identityOf(type).map((part) => (part === 'url' ? address : monitor[part]))])
}

/** The intervals that a plan offers to a list, in minutes. */
export function listIntervals(least: number): number[] {
  const offered = CHECK_INTERVALS_MINUTES.filter((minutes) => minutes >= least)
  return offered.length > 0 ? offered : [least]
}
