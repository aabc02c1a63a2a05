import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { openRegularFile, UnfitFile } from '../../files/regular-file.ts'
import type { Partition, StoredSequence } from './backup-tables.ts'

/*
 * A backup is a gzipped tar. `data/<table>.<part>` entries hold rows in COPY's text format, table after table;
 * a part may end anywhere. `manifest.json` comes last, so a file that has one is complete.
 */

const FORMAT = 1
const PRODUCT = 'upbeat'
const MANIFEST = 'manifest.json'
const MAX_MANIFEST_BYTES = 16_777_216
const PART_BYTES = 4_194_304
const FILE_MODE = 0o600
const LINE_FEED = 10

export type SavedTable = {
  name: string
  columns: string[]
  rows: number
  bytes: number
  /** The partitions that hold rows; empty for an ordinary table. */
  partitions: Partition[]
}

export type Manifest = {
  product: typeof PRODUCT
  format: typeof FORMAT
  /** The newest migration applied to the schema. */
  schema_version: number
  created_at: string
  tables: SavedTable[]
  sequences: StoredSequence[]
}

export type BackupContent = Omit<Manifest, 'product' | 'format'>

/** Splits the rows of `source` into parts and writes each before reading on. Returns the number of rows and bytes. */
export type AddRows = (table: string, source: Readable) => Promise<{ rows: number; bytes: number }>

/** Writes a new file that only its owner can read, and flushes it to disk. */
export async function writeBackupFile(
  path: string,
  fill: (addRows: AddRows) => Promise<BackupContent>,
): Promise<void> {
  const tar = pack()
  const written = pipeline(
    tar,
    createGzip(),
    createWriteStream(path, { flags: 'wx', mode: FILE_MODE, flush: true }),
  )
  const addEntry = (name: string, content: Buffer) =>
    new Promise<void>((resolve, reject) => {
      tar.entry({ name, mode: FILE_MODE }, content, (error) => (error ? reject(error) : resolve()))
    })
  let parts = 0
  const addRows: AddRows = async (table, source) => {
    const sum = { rows: 0, bytes: 0 }
    for await (const part of inParts(source)) {
      await addEntry(partName(table, ++parts), part)
      sum.rows += countLines(part)
      sum.bytes += part.length
    }
    return sum
  }
  const filled = fill(addRows)
    .then((content) => addEntry(MANIFEST, encode({ product: PRODUCT, format: FORMAT, ...content })))
    .then(
      () => tar.finalize(),
      (error) => {
        tar.destroy(error)
        throw error
      },
    )
  await Promise.all([filled, written])
}

async function* inParts(source: Readable): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of source as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes < PART_BYTES) continue
    yield Buffer.concat(chunks)
    chunks = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(chunks)
}

/** Numbered across tables, so that names are unique and a listing shows the order. */
function partName(table: string, part: number): string {
  return `data/${table}.${String(part).padStart(6, '0')}`
}

function encode(manifest: Manifest): Buffer {
  return Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
}

/** The rows of a backup, in the order in which they were written. */
export async function* readRows(path: string): AsyncGenerator<{ table: string; rows: Buffer }> {
  for await (const { name, content } of readEntries(path)) {
    const table = tableOf(name)
    for await (const rows of content) if (table) yield { table, rows }
  }
}

/** Reads a backup from end to end. Throws unless it is complete and in a format that this version knows. */
export async function readManifest(path: string): Promise<Manifest> {
  try {
    return await verify(path)
  } catch (error) {
    if (error instanceof UnfitFile) throw new Error(`${error.message} that backup wrote; nothing was changed`)
    const { syscall, message } = error as NodeJS.ErrnoException
    if (syscall) throw new Error(`cannot read ${path} (${message})`)
    throw new Error(`${path} is not a whole backup of Upbeat (${message}); nothing was changed`)
  }
}

async function verify(path: string): Promise<Manifest> {
  const found = new Map<string, { rows: number; bytes: number }>()
  let manifest: Manifest | null = null
  for await (const { name, content } of readEntries(path)) {
    if (manifest) throw new Error(`${name} comes after the manifest`)
    const table = tableOf(name)
    if (name === MANIFEST) manifest = await decode(content)
    else if (!table) throw new Error(`unexpected ${name}`)
    else {
      const sum = found.get(table) ?? { rows: 0, bytes: 0 }
      for await (const part of content) {
        sum.rows += countLines(part)
        sum.bytes += part.length
      }
      found.set(table, sum)
    }
  }
  if (!manifest) throw new Error('its manifest is missing')
  for (const { name, rows, bytes } of manifest.tables) {
    const sum = found.get(name) ?? { rows: 0, bytes: 0 }
    found.delete(name)
    if (sum.rows !== rows || sum.bytes !== bytes) throw new Error(`rows of ${name} are missing or too many`)
  }
  if (found.size > 0) throw new Error(`the manifest does not list ${[...found.keys()].join(', ')}`)
  return manifest
}

async function decode(content: AsyncIterable<Buffer>): Promise<Manifest> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > MAX_MANIFEST_BYTES) throw new Error('its manifest is too long')
    chunks.push(chunk)
  }
  const manifest: Manifest = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  if (manifest?.product !== PRODUCT) throw new Error('another product made it')
  if (manifest.format !== FORMAT) throw new Error(`it has format ${manifest.format}, known is ${FORMAT}`)
  if (!Number.isInteger(manifest.schema_version) || !Array.isArray(manifest.sequences)) {
    throw new Error('its manifest says neither its schema nor its sequences')
  }
  // Restoring it would leave nothing of what is there.
  if (!Array.isArray(manifest.tables) || manifest.tables.length === 0) throw new Error('it has no tables')
  return manifest
}

async function* readEntries(path: string): AsyncGenerator<{ name: string; content: AsyncIterable<Buffer> }> {
  const { handle } = await openRegularFile(path)
  const tar = extract()
  // An error upstream ends the loop below.
  const read = pipeline(handle.createReadStream(), createGunzip(), tar).catch((error) => tar.destroy(error))
  for await (const entry of tar) {
    yield { name: entry.header.name, content: entry as AsyncIterable<Buffer> }
  }
  await read
}

function tableOf(entryName: string): string | null {
  return /^data\/(\w+)\.\d+$/.exec(entryName)?.[1] ?? null
}

/** Counts rows in COPY's text format, where a line feed inside a value is written as ` `. */
function countLines(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) lines++
  return lines
}
