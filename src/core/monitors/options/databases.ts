import { phrase } from '../../language/phrase.ts'
import type { Said } from '../../language/said.ts'
import { MASK } from '../../teams/access.ts'
import { optionalLabel } from '../../text.ts'
import { type MonitorType, queryLanguageOf } from '../monitor-types.ts'
import type { Option } from './option.ts'
import { jsonCommandFault } from './protocols/json-command.ts'
import { readOnlySqlFault } from './protocols/read-only-sql.ts'
import { commandFault } from './redis-command.ts'
import { SentText } from './request.ts'

const MAX_DATABASE_LENGTH = 128

const asks: Option['has'] = (type) => queryLanguageOf(type) !== null

/** Options of what a check asks a database. */
export const DATABASES = {
  query: {
    schema: SentText,
    description:
      'Asked once the check has signed in, and may only read: one statement of SQL, for `redis` one command, split as a shell would, or for `mongodb` one command as a JSON object. The first value is the `answer` and the rows, or the reply, are the `json`, at most 1,000 rows and 1 MiB.',
    group: 'request',
    label: phrase('Query'),
    hint: phrase(
      'It is asked once the check has signed in, and may only read. Without it, signing in is enough.',
    ),
    has: asks,
    default: null,
    secrets: [{ at: [], shownTo: 'admins' }],
    faults: (type, value) => {
      const fault = typeof value === 'string' && value !== MASK ? queryFault(type, value) : null
      return fault ? [{ at: [], message: fault }] : []
    },
  },
  database: {
    schema: optionalLabel(MAX_DATABASE_LENGTH),
    description: 'Name of the database, where it is not the path of the URL.',
    group: 'request',
    label: phrase('Database'),
    hint: phrase('Its name, where it is not the path of the URL.'),
    has: asks,
    default: null,
  },
} as const satisfies Record<string, Option>

function queryFault(type: MonitorType, query: string): Said | null {
  const language = queryLanguageOf(type)
  if (language === 'sql that reads') return readOnlySqlFault(query)
  if (language === 'json') return jsonCommandFault(query)
  return language === 'words' ? commandFault(query) : null
}

/** The database that a monitor names, by its option or the path of its URL; null for the usual one of its user. */
export function databaseOf({
  url,
  options,
}: {
  url: string
  options?: { database?: string | undefined } | null | undefined
}): string | null {
  const [, path = ''] = /^[^/]*\/\/[^/?#]*\/([^?#]*)/.exec(url) ?? []
  return options?.database || decoded(path) || null
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
