import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { TEAM_EXCEPTIONS } from '../support/postgres/team-exceptions.ts'
import { teamFindings } from '../support/postgres/team-statements.ts'

const SRC = join(import.meta.dirname, '../../src')

/** The tables whose rows are of a team, as the code knows them. */
const TABLES = new Set(
  readdirSync(join(SRC, 'postgres/tables')).flatMap((file) => {
    const code = readFileSync(join(SRC, 'postgres/tables', file), 'utf8')
    const tables = code.matchAll(/^ {2}(\w+): [^\n{]*\{(.*\}$|[\s\S]*?^ {2}\})/gm)
    return [...tables].flatMap(([, table = '', body = '']) =>
      /\bteam_id: number(?! \|)/.test(body) ? [table] : [],
    )
  }),
)

/** Statements as they stand in a file, and whether they name the team. */
const JUDGED: [source: string, isWrong: boolean][] = [
  ['`UPDATE contacts SET name = $2 WHERE id = $1`', true],
  ['`UPDATE contacts SET name = $3 WHERE team_id = $1 AND id = $2`', false],
  ['`DELETE FROM contacts WHERE id = ANY($1)`', true],
  ['`SELECT c.name FROM contacts c WHERE c.id = $1`', true],
  ['`SELECT c.name FROM contacts c WHERE c.id = $1 AND c.team_id = $2`', false],
  ['`SELECT d.id FROM letters d JOIN contacts c ON c.id = d.contact_id WHERE d.id = $1`', false],
  ['sql`DELETE FROM contacts WHERE id = $' + '{id}`', true],
  ['`UPDATE $' + '{table} SET name = $2 WHERE id = $1`', true],
  ["`UPDATE contacts SET a = 1 WHERE id = $1 RETURNING json_build_object('team_id', team_id)`", true],
  ["query.selectFrom('contacts').select(['id', 'team_id']).where('id', '=', id).execute()", true],
  ['`UPDATE letters SET state = $2 WHERE id = $1`', false],
  ["query.selectFrom('contacts').where('id', '=', id).execute()", true],
  ["query.selectFrom('contacts as c').where('c.id', 'in', ids).execute()", true],
  ["query.updateTable('contacts').where('team_id', '=', team).where('id', '=', id).execute()", false],
]

describe('statements about rows of a team', () => {
  it('name the team beside an id', () => {
    assert.ok(TABLES.size > 20 && TABLES.has('contacts'), [...TABLES].join())
    const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    )
    const unused = new Set(TEAM_EXCEPTIONS)
    const found = files.flatMap((file) =>
      teamFindings(readFileSync(join(SRC, file), 'utf8'), TABLES).flatMap(({ within, text }) => {
        const known = TEAM_EXCEPTIONS.find((one) => one.file === file && one.within === within)
        if (known) unused.delete(known)
        return known ? [] : `${file}, ${within}: ${text}`
      }),
    )
    assert.deepEqual(found, [])
    assert.deepEqual([...unused], [], 'exceptions that are no more')
  })

  for (const [source, isWrong] of JUDGED) {
    it(`${isWrong ? 'are wrong' : 'are right'}: ${source}`, () => {
      assert.equal(teamFindings(source, new Set(['contacts'])).length, Number(isWrong))
    })
  }
})
