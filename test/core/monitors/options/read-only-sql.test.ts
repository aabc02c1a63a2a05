import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { english } from '../../../../src/core/language/said.ts'
import { readOnlySqlFault } from '../../../../src/core/monitors/options/protocols/read-only-sql.ts'

describe('a query to SQL Server', () => {
  for (const query of [
    'SELECT 1',
    '  select count(*) from jobs where failed = 1;',
    'WITH late AS (SELECT * FROM jobs WHERE due < getdate()) SELECT count(*) FROM late',
    "SELECT 1 WHERE 'drop table' = [into] -- delete it",
    'SELECT /* update */ "exec" FROM a',
    "SELECT 'it''s; DROP' + N'x'",
    'SELECT [a]]b; drop] FROM c',
    'SELECT @update, #into, a.updated, intox, $delete FROM t',
    'SELECT datediff(second, max(updated_at), getdate()) FROM orders WITH (NOLOCK)',
  ])
    it(`may be ${query}`, () => assert.equal(readOnlySqlFault(query), null))

  for (const query of [
    '',
    'EXEC sp_who',
    'sp_who',
    'INSERT INTO a VALUES (1)',
    'SELECTED',
    'SELECT * INTO b FROM a',
    'SELECT 1; DROP TABLE a',
    'SELECT 1 COMMIT DROP TABLE a',
    'SELECT 1 eXeC sp_who',
    'WITH a AS (SELECT 1 AS b) DELETE FROM a',
    'SELECT NEXT VALUE FOR numbers',
    'SELECT next\n value for numbers',
    "SELECT * FROM OPENROWSET('a', 'b', 'c')",
    "SELECT 1 WAITFOR DELAY '1:00'",
    // Quotes and comments that do not end where they seem to.
    "SELECT 'a' 'b; DROP TABLE a",
    'SELECT [a; DROP TABLE b',
    'SELECT 1 /* /* */ DROP TABLE a',
    "SELECT 1 /* /* */ ' */ DROP TABLE a -- '",
    'SELECT 1 -- a\nDROP TABLE a',
    'SELECT 1 -- a\rDROP TABLE a',
    'SELECT 1/**/DROP/**/TABLE a',
  ])
    it(`is refused: ${query}`, () => {
      const said = readOnlySqlFault(query)
      assert.equal(said && english(said), 'must be one query that begins with select or with and only reads')
    })
})
