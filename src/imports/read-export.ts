import { said } from '../core/language/said.ts'
import type { ImportKind } from '../core/moving-in/kinds.ts'
import type { Outcome } from '../core/moving-in/outcome.ts'
import { openRegularFile, readRegularFile, sizeOf, UnfitFile } from '../files/regular-file.ts'
import { readKumaFile, UnfitDatabase } from '../store/uptime-kuma-file.ts'
import { readCsv } from './csv.ts'
import { isFields, numberOf, parseJson, textOf } from './fields.ts'
import { fromGatus } from './gatus/gatus.ts'
import { fromHealthchecks } from './healthchecks.ts'
import { readJson, readYaml } from './json.ts'
import { MAX_RECORDS, type Terms, WrongFile } from './outcome.ts'
import { fromPostman, isPostman } from './postman/postman.ts'
import { readKumaBackup } from './uptime-kuma/backup.ts'
import { fromUptimeKuma, type KumaExport } from './uptime-kuma/uptime-kuma.ts'
import { fromUptimeRobot } from './uptimerobot/uptimerobot.ts'

const MIB = 1_024 * 1_024
/** The sum over all files; it does not apply to databases, which are not read into memory. */
const MAX_BYTES = 64 * MIB
/** Uptime Kuma keeps every check in its database; 10,000 monitors make a few GiB of them. */
const MAX_DATABASE_BYTES = 65_536 * MIB
const MAX_FILES = 1_000
const SQLITE_HEADER = 'SQLite format 3\0'

type Content = { file: string; isDatabase: boolean; text: string; bytes: number }

/** Each throws a WrongFile for contents that are not an export of its service. */
const READERS = {
  'uptime-kuma': (contents, terms) => {
    const [content, ...more] = contents
    if (!content || more.length > 0)
      throw new WrongFile(said('Uptime Kuma has one file: its kuma.db, or the backup of a 1.x'))
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
  postman: (contents, terms) => fromPostman(contents.map(json), terms),
} as const satisfies Record<ImportKind, (contents: Content[], terms: Terms) => Outcome>

/**
 * Reads the export of another service from one or more files, such as pages of an API. Throws a WrongFile if they are
 * not such an export, and passes on errors of the file system.
 */
export async function readExport(kind: ImportKind, files: string[], terms: Terms): Promise<Outcome> {
  if (files.length > MAX_FILES)
    throw new WrongFile(
      said('there are {count} files, and at most {max} are read', { count: files.length, max: MAX_FILES }),
    )
  const contents: Content[] = []
  let room = MAX_BYTES
  for (const file of files) {
    const content = await readContent(file, room)
    room -= content.bytes
    contents.push(content)
  }
  try {
    return READERS[kind](contents, terms)
  } catch (error) {
    if (error instanceof RangeError) throw new WrongFile(said('it is nested too deeply'), { files })
    if (!(error instanceof WrongFile)) throw error
    const looksLike = contents.map(kindOf).find((found) => found !== null && found !== kind) ?? null
    throw new WrongFile(error.fault, { files, looksLike })
  }
}

/** At most `room` bytes, unless it is a database. */
async function readContent(file: string, room: number): Promise<Content> {
  if (await isDatabase(file)) return { file, isDatabase: true, text: '', bytes: 0 }
  const bytes = await readRegularFile(file, room).catch((error) => {
    if (!(error instanceof UnfitFile) || room === MAX_BYTES) throw error
    throw new UnfitFile(`${error.message}: all files together may have ${sizeOf(MAX_BYTES)}`)
  })
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { file, isDatabase: false, text, bytes: bytes.length }
  } catch {
    throw new WrongFile(said('it is no text in UTF-8'), { files: [file] })
  }
}

async function isDatabase(file: string): Promise<boolean> {
  const { handle, bytes } = await openRegularFile(file)
  try {
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(SQLITE_HEADER.length),
      0,
      SQLITE_HEADER.length,
      0,
    )
    if (buffer.toString('latin1', 0, bytesRead) !== SQLITE_HEADER) return false
    if (bytes > MAX_DATABASE_BYTES) {
      throw new WrongFile(
        said('it is larger than the {size} that are read of a database', {
          size: sizeOf(MAX_DATABASE_BYTES),
        }),
        { files: [file] },
      )
    }
    return true
  } finally {
    await handle.close()
  }
}

function readDatabase(file: string): KumaExport {
  const rows = rowsOf(file)
  if (rows.monitors.length === 0 && rows.settings.size === 0) {
    throw new WrongFile(said('it is a database without monitors of Uptime Kuma'))
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
    proxies: rows.proxies,
    dockerHosts: rows.dockerHosts,
    others: rows.counts,
  }
}

function rowsOf(file: string) {
  try {
    return readKumaFile(file, MAX_RECORDS)
  } catch (error) {
    if (error instanceof UnfitDatabase) throw new WrongFile(error.fault)
    const fault = (error as Error).message
    throw new WrongFile(said('it cannot be read as a database: {fault}', { fault }))
  }
}

function json({ isDatabase, text }: Content): unknown {
  if (isDatabase) throw new WrongFile(said('it is a database, not JSON'))
  return readJson(text)
}

function yaml({ isDatabase, text }: Content): unknown {
  if (isDatabase) throw new WrongFile(said('it is a database, not YAML'))
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
    if (isPostman(document)) return 'postman'
    if ('checks' in document || 'channels' in document) return 'healthchecks'
    if ('stat' in document || 'monitors' in document) return 'uptimerobot'
  }
  if (/^(endpoints|external-endpoints):/m.test(content.text)) return 'gatus'
  return /^"?type"?[,;]|friendly.?name/i.test(content.text.split('\n', 1)[0] ?? '') ? 'uptimerobot' : null
}
