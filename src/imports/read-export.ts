import { open } from 'node:fs/promises'
import { readKumaFile } from '../store/uptime-kuma-file.ts'
import { readCsv } from './csv.ts'
import { isFields, numberOf, parseJson, textOf } from './fields.ts'
import { fromGatus } from './gatus/gatus.ts'
import { fromHealthchecks } from './healthchecks.ts'
import { readJson, readYaml } from './json.ts'
import type { ImportKind } from './kinds.ts'
import { type Outcome, type Terms, WrongFile } from './outcome.ts'
import { readKumaBackup } from './uptime-kuma/backup.ts'
import { fromUptimeKuma, type KumaExport } from './uptime-kuma/uptime-kuma.ts'
import { fromUptimeRobot } from './uptimerobot/uptimerobot.ts'

/** Does not apply to databases, which are not read into memory. */
const MAX_FILE_BYTES = 64 * 1024 * 1024
const MAX_MONITORS = 10_000
const TOO_MANY = `it has more than ${MAX_MONITORS} monitors`
const SQLITE_HEADER = 'SQLite format 3\0'

type Content = { file: string; isDatabase: boolean; text: string }

/** Each throws a WrongFile for contents that are not an export of its service. */
const READERS = {
  'uptime-kuma': (contents, terms) => {
    const [content, ...more] = contents
    if (!content || more.length > 0)
      throw new WrongFile('Uptime Kuma has one file: its kuma.db, or the backup of a 1.x')
    return fromUptimeKuma(
      content.isDatabase ? readDatabase(content.file) : readKumaBackup(readJson(content.text)),
      terms,
    )
  },
  healthchecks: (contents, terms) => fromHealthchecks(contents.map(json), terms),
  gatus: (contents, terms) => fromGatus(contents.map(yaml), terms),
  uptimerobot: (contents, terms) =>
    fromUptimeRobot(
      contents.map((content) => (isCsv(content) ? readCsv(content.text) : json(content))),
      terms,
    ),
} as const satisfies Record<ImportKind, (contents: Content[], terms: Terms) => Outcome>

/**
 * Reads the export of another service from one or more files, such as pages of an API. Throws a WrongFile if they are
 * not such an export, and passes on errors of the file system.
 */
export async function readExport(kind: ImportKind, files: string[], terms: Terms): Promise<Outcome> {
  const contents: Content[] = []
  for (const file of files) contents.push(await readContent(file))
  let outcome: Outcome
  try {
    outcome = READERS[kind](contents, terms)
  } catch (error) {
    if (!(error instanceof WrongFile)) throw error
    const other = contents.map(kindOf).find((found) => found !== null && found !== kind)
    const hint = other ? `\nIt looks like an export for: upbeat import ${other} ${files.join(' ')}` : ''
    throw new WrongFile(`${files.join(', ')}: ${error.message}${hint}`)
  }
  if (outcome.declaration.monitors.length > MAX_MONITORS) {
    throw new WrongFile(`${files.join(', ')}: ${TOO_MANY}`)
  }
  return outcome
}

async function readContent(file: string): Promise<Content> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const head = Buffer.alloc(SQLITE_HEADER.length)
    await handle.read(head, 0, head.length, 0)
    if (head.toString('latin1') === SQLITE_HEADER) return { file, isDatabase: true, text: '' }
    if (size > MAX_FILE_BYTES) {
      throw new WrongFile(`${file}: it has ${size} bytes, ${MAX_FILE_BYTES} are the most that is read`)
    }
    const bytes = Buffer.alloc(size)
    const { bytesRead } = await handle.read(bytes, 0, size, 0)
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, bytesRead))
    return { file, isDatabase: false, text }
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error
    throw new WrongFile(`${file}: it is no text in UTF-8`)
  } finally {
    await handle.close()
  }
}

function readDatabase(file: string): KumaExport {
  const rows = rowsOf(file)
  if (rows.monitors.length > MAX_MONITORS) throw new WrongFile(TOO_MANY)
  if (rows.monitors.length === 0 && rows.settings.size === 0) {
    throw new WrongFile('it is a database without monitors of Uptime Kuma')
  }
  const days = parseJson(rows.settings.get('tlsExpiryNotifyDays') ?? '')
  return {
    monitors: rows.monitors,
    notifications: rows.notifications,
    attached: rows.attached,
    tags: rows.tags,
    baseUrl: textOf(parseJson(rows.settings.get('primaryBaseURL') ?? '')),
    warningDays: Array.isArray(days) ? days.flatMap((day) => numberOf(day) ?? []) : [],
    windows: {
      maintenances: rows.maintenances,
      covered: rows.covered,
      onPages: rows.onPages,
      serverZone: textOf(parseJson(rows.settings.get('serverTimezone') ?? '')),
    },
    pages: rows.pages,
    others: rows.counts,
  }
}

function rowsOf(file: string) {
  try {
    return readKumaFile(file, MAX_MONITORS)
  } catch (error) {
    throw new WrongFile(`it cannot be read as a database: ${(error as Error).message}`)
  }
}

function json({ isDatabase, text }: Content): unknown {
  if (isDatabase) throw new WrongFile('it is a database, not JSON')
  return readJson(text)
}

function yaml({ isDatabase, text }: Content): unknown {
  if (isDatabase) throw new WrongFile('it is a database, not YAML')
  return readYaml(text)
}

function isCsv({ isDatabase, text }: Content): boolean {
  return !isDatabase && !/^\uFEFF?\s*[[{]/.test(text) && /[,;]/.test(text.split('\n', 1)[0] ?? '')
}

/** Guesses the service that an export comes from; null if it is not recognized. */
function kindOf(content: Content): ImportKind | null {
  if (content.isDatabase) return 'uptime-kuma'
  const document = parseJson(content.text)
  if (isFields(document)) {
    if ('monitorList' in document) return 'uptime-kuma'
    if ('checks' in document || 'channels' in document) return 'healthchecks'
    if ('stat' in document || 'monitors' in document) return 'uptimerobot'
  }
  if (/^(endpoints|external-endpoints):/m.test(content.text)) return 'gatus'
  return /^"?type"?[,;]|friendly.?name/i.test(content.text.split('\n', 1)[0] ?? '') ? 'uptimerobot' : null
}
