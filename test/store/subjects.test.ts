import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { allOperations } from '../../src/contract/contract.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { INCIDENTS, operationOf, SUBJECTS } from '../../src/contract/subjects.ts'
import { SUBJECT_KINDS } from '../../src/core/maintenance/subject-kind.ts'
import { implementations } from '../../src/operations/implementations.ts'
import { openTestDatabase } from '../support/postgres/database.ts'

/** Operations that every kind has, with `*` where it is named. */
const OF_SUBJECTS = [
  'get*',
  'create*',
  'update*',
  'delete*',
  'get*Policy',
  'set*Policy',
  'get*Maintenance',
  'set*Tags',
] as const
const OF_INCIDENTS = ['get*Story', 'acknowledge*', 'unacknowledge*', 'add*Note'] as const

describe('each kind of subject', () => {
  it('has the same operations, at its own path', () => {
    const all: Record<string, Operation> = allOperations
    for (const kind of SUBJECT_KINDS)
      for (const [kinds, operations] of [
        [SUBJECTS, OF_SUBJECTS],
        [INCIDENTS, OF_INCIDENTS],
      ] as const)
        for (const pattern of operations) {
          const name = operationOf(kinds, kind, pattern)
          const { path } = all[name] ?? { path: 'none' }
          assert.ok(pattern === 'create*' || path.startsWith(kinds[kind].path), `${name} is at ${path}`)
          assert.ok(Object.hasOwn(implementations, name), name)
        }
  })

  it('has records whose triggers keep its subjects, and no other has', async (t) => {
    const { db, close } = await openTestDatabase()
    t.after(close)
    const names = ['add_subjects', 'change_subject', 'remove_subjects']
    const { rows } = await db.pool.query<{ table: string; name: string; calls: string }>(
      `SELECT tgrelid::regclass::text AS table, tgname AS name, substring(pg_get_triggerdef(oid), '''(\\w+)''') AS calls
       FROM pg_trigger WHERE tgname = ANY($1) ORDER BY 1, 2`,
      [names],
    )
    assert.deepEqual(
      rows,
      SUBJECT_KINDS.flatMap((kind) => names.map((name) => ({ table: `${kind}s`, name, calls: kind }))),
    )
    for (const kind of [...SUBJECT_KINDS, 'robot'])
      await assert[SUBJECT_KINDS.some((one) => one === kind) ? 'doesNotReject' : 'rejects'](
        db.pool.query(`INSERT INTO subjects VALUES ($1, 0, 0, 'n', now())`, [kind]),
        kind,
      )
  })

  it('has a part of each table that is split by kind, and a place in each function that lists kinds', async (t) => {
    const { db, close } = await openTestDatabase()
    t.after(close)
    const { rows: parts } = await db.pool.query<{ table: string; kind: string }>(
      `SELECT i.inhparent::regclass::text AS table,
         substring(pg_get_expr(c.relpartbound, c.oid), '''(\\w+)''') AS kind
       FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE c.relkind = 'r' AND pg_get_partkeydef(i.inhparent) = 'LIST (kind)' ORDER BY 1, 2`,
    )
    const partsOf = (table: string) => SUBJECT_KINDS.map((kind) => ({ table, kind }))
    assert.deepEqual(parts, [
      ...partsOf('subject_policies'),
      ...partsOf('subject_status_changes').filter(({ kind }) => kind !== 'monitor'),
    ])
    const { rows: functions } = await db.pool.query<{ name: string; text: string }>(
      `SELECT p.proname AS name, p.prosrc AS text FROM pg_proc p
       WHERE p.pronamespace = 'public'::regnamespace ORDER BY 1`,
    )
    const lists = functions.flatMap(({ name, text }) => {
      const named = SUBJECT_KINDS.filter((kind) => text.includes(`'${kind}'`))
      return named.length > 1 ? [{ name, named }] : []
    })
    assert.deepEqual(
      lists.filter(({ named }) => named.length < SUBJECT_KINDS.length),
      [],
    )
  })
})
