import type { JsonNode } from '../../../expectations/json-path.ts'
import { type Said, said } from '../../../language/said.ts'

/** A command: its name is the first key. */
export type JsonCommand = { [key: string]: JsonNode }

/** More deeply nested a server takes none. */
const MAX_DEPTH = 100

/** Commands that only read. */
const READING: ReadonlySet<string> = new Set([
  ...['ping', 'hello', 'isMaster', 'ismaster', 'buildInfo', 'buildinfo', 'hostInfo', 'connectionStatus'],
  ...['serverStatus', 'replSetGetStatus', 'dbStats', 'dbstats', 'collStats', 'collstats', 'dataSize'],
  ...['listDatabases', 'listCollections', 'listIndexes'],
  ...['find', 'count', 'distinct', 'aggregate'],
])
/** Those of them that a server runs in its database `admin` alone. */
const OF_ADMIN: ReadonlySet<string> = new Set(['replSetGetStatus', 'listDatabases'])
/** Stages of an aggregation that write, at whatever depth. */
const WRITING: ReadonlySet<string> = new Set(['$out', '$merge'])

const EXAMPLE = '{"count": "jobs"}'

/** The command that a text is, as a JSON object; null for another text. */
export function readJsonCommand(text: string): JsonCommand | null {
  try {
    const read: JsonNode = JSON.parse(text)
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? read : null
  } catch {
    return null
  }
}

export function nameOfCommand(command: JsonCommand): string {
  return Object.keys(command)[0] ?? ''
}

export function isOfAdmin(command: JsonCommand): boolean {
  return OF_ADMIN.has(nameOfCommand(command))
}

/** Why a check cannot ask this; null if it can. */
export function jsonCommandFault(text: string): Said | null {
  const command = readJsonCommand(text)
  if (command === null)
    return said('must be one command as a JSON object, such as {example}', { example: EXAMPLE })
  const reads = READING.has(nameOfCommand(command)) && !hasWriting(command, 0)
  if (!reads)
    return said('must be one command that only reads, such as {example}, ping or serverStatus', {
      example: EXAMPLE,
    })
  const [ours] = Object.keys(command).filter((key) => key.startsWith('$'))
  return ours === undefined ? null : said('must not have {key}, which the check sets', { key: ours })
}

/** Also where it is too deep to be looked through. */
function hasWriting(node: JsonNode, depth: number): boolean {
  if (typeof node !== 'object' || node === null) return false
  if (depth > MAX_DEPTH) return true
  return Object.entries(node).some(([key, inner]) => WRITING.has(key) || hasWriting(inner, depth + 1))
}
