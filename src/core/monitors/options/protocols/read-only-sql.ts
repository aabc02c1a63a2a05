import { type Said, said } from '../../../language/said.ts'

/*
 * SQL Server has no session that only reads. Its words for what changes something are reserved: outside of quotes they stand for nothing
 * else, and a statement that begins within another one needs one of them.
 */

/** Texts and names in quotes, and comments, within which any word may stand. Comments within comments are left, and refused. */
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\[(?:[^\]]|\]\])*\]|--[^\r\n]*|\/\*(?:(?!\/\*)[\s\S])*?\*\//g
const BEGINS = /^\s*(?:select|with)(?![\w@#$])/i
const CHANGES = new RegExp(
  `(?<![\\w@#$])(?:${[
    ...[
      'insert',
      'update',
      'delete',
      'merge',
      'into',
      'truncate',
      'create',
      'alter',
      'drop',
      'exec',
      'execute',
    ],
    ...[
      'grant',
      'revoke',
      'deny',
      'begin',
      'commit',
      'rollback',
      'save',
      'use',
      'set',
      'kill',
      'shutdown',
      'dbcc',
    ],
    ...[
      'backup',
      'restore',
      'bulk',
      'reconfigure',
      'waitfor',
      'writetext',
      'updatetext',
      'declare',
      'goto',
      'while',
    ],
    ...['openrowset', 'openquery', 'opendatasource', 'next\\s+value', 'revert', 'setuser', 'checkpoint'],
  ].join('|')})(?![\\w@#$])`,
  'i',
)

/** Why a check cannot ask SQL Server this; null if it can. */
export function readOnlySqlFault(text: string): Said | null {
  const bare = text.replace(QUOTED, ' ')
  const isOpen = /['"[]|\/\*/.test(bare)
  if (!isOpen && BEGINS.test(bare) && !CHANGES.test(bare)) return null
  return said('must be one query that begins with select or with and only reads')
}
