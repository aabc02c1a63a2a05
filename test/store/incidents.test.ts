import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SUBJECT_KINDS } from '../../src/core/maintenance/subject-kind.ts'
import { inTransaction } from '../../src/postgres/database.ts'
import { findIncidentOf, newestIncidents, readIncidentRows } from '../../src/store/incidents/incident-rows.ts'
import {
  type NewIncident,
  openIncident,
  resolveIncident,
  resolveQuietly,
} from '../../src/store/incidents/recording.ts'
import { acknowledge, findAcknowledgement, holdIncident } from '../../src/store/on-call/acknowledgements.ts'
import { insertNote } from '../../src/store/on-call/notes.ts'
import { readIncidentNotes } from '../../src/store/on-call/responses.ts'
import { readIncidentSums } from '../../src/store/reports/incident-sums.ts'
import { openTestDatabase, type TestDatabase } from '../support/postgres/database.ts'
import { addMonitor } from '../support/records/monitors.ts'
import { addServer } from '../support/records/servers.ts'
import { addSite } from '../support/records/sites.ts'
import { addPerson, addTeam } from '../support/records/teams.ts'

const BEGAN = new Date('2026-11-28T12:00:00.000Z')
const ENDED = new Date('2026-11-28T12:05:00.000Z')
const PROCESSES = [{ name: 'postgres', cpu_percent: 91, memory_percent: null }]

/** The parts that only incidents of a kind have, and how lists show them. */
const OWN = {
  monitor: {
    says: { kind: 'monitor', cause: null },
    shows: { cause: null, about: null, warnsOnly: false, processes: null },
  },
  server: {
    says: { kind: 'server', cause: 'full', about: 'memory', warnsOnly: false, processes: PROCESSES },
    shows: { cause: 'full', about: 'memory', warnsOnly: false, processes: PROCESSES },
  },
  site: {
    says: { kind: 'site', cause: 'gone', about: 'home_page' },
    shows: { cause: 'gone', about: 'home_page', warnsOnly: false, processes: null },
  },
} as const

async function openedOf(kind: (typeof SUBJECT_KINDS)[number], { db }: TestDatabase) {
  const teamId = await addTeam(db)
  const add = { monitor: addMonitor, server: addServer, site: addSite }[kind]
  const subject = await add(db, { team_id: teamId, name: 'Shop' })
  const incident = {
    ...{ teamId, subjectId: subject.id, startedAt: BEGAN },
    ...OWN[kind].says,
  } as unknown as NewIncident
  const id = await inTransaction(db.pool, (client) => openIncident(client, incident))
  return { teamId, subjectId: subject.id, ref: { kind, id } }
}

describe('an incident of each kind', () => {
  for (const kind of SUBJECT_KINDS) {
    it(`of a ${kind} goes from its beginning to its end`, async (t) => {
      const database = await openTestDatabase()
      t.after(database.close)
      const { db } = database
      const { teamId, subjectId, ref } = await openedOf(kind, database)
      const other = await addTeam(db)
      const times = { id: ref.id, kind, startedAt: BEGAN, subjectId, subjectName: 'Shop' }
      const shown = { ...times, ...OWN[kind].shows, resolvedAt: null, acknowledgement: null }
      assert.deepEqual(await findIncidentOf(db.query, teamId, kind, ref.id), shown)
      assert.equal(await findIncidentOf(db.query, other, kind, ref.id), null)
      assert.deepEqual(await newestIncidents(db.query, teamId, kind, { [kind]: subjectId }, 5), [shown])
      assert.deepEqual(await newestIncidents(db.query, other, kind, {}, 5), [])

      const userId = await addPerson(db, {}, { teamId })
      await db.query.transaction().execute(async (query) => {
        assert.equal((await holdIncident(query, teamId, ref))?.subjectId, subjectId)
        assert.equal(await holdIncident(query, other, ref), null)
        await acknowledge(query, teamId, ref, { userId }, 'mine')
        await insertNote(query, teamId, ref, { userId, text: 'restarted' })
      })
      assert.equal((await findAcknowledgement(db.query, teamId, ref))?.note, 'mine')
      assert.deepEqual(
        (await readIncidentNotes(db.query, teamId, ref)).map(({ text }) => text),
        ['restarted'],
      )
      const page = { limit: 5, offset: 0 }
      const open = await readIncidentRows(db.query, teamId, { kind, state: 'open' }, page)
      assert.deepEqual(
        open.rows.map(({ id, acknowledgement }) => [id, acknowledgement !== null]),
        [[ref.id, true]],
      )

      const resolved = await inTransaction(db.pool, (client) => resolveIncident(client, ref, ENDED))
      const { cause } = OWN[kind].shows
      assert.deepEqual(resolved, { startedAt: BEGAN, resolvedAt: ENDED, cause, isUntold: false })
      assert.equal(await inTransaction(db.pool, (client) => resolveIncident(client, ref, ENDED)), null)
      const span = { fromMs: BEGAN.getTime() - 60_000, toMs: ENDED.getTime() + 60_000 }
      const sums = await readIncidentSums(db, kind, teamId, [subjectId], span, new Date(span.toMs))
      assert.deepEqual([sums.get(subjectId)?.incidents, sums.get(subjectId)?.seconds], [1, 300])
    })

    it(`of a ${kind} ends quietly with what is judged of it, never before it began`, async (t) => {
      const database = await openTestDatabase()
      t.after(database.close)
      const { db } = database
      const { teamId, subjectId, ref } = await openedOf(kind, database)
      const resolvedAt = async () => (await findIncidentOf(db.query, teamId, kind, ref.id))?.resolvedAt
      const end = (subject: { ids: number[]; about?: string[] }) =>
        db.query.transaction().execute((query) => resolveQuietly(query, { kind, ...subject }, new Date(0)))
      await end({ ids: [subjectId + 1] })
      await end({ ids: [subjectId], about: ['another part'] })
      assert.equal(await resolvedAt(), null)
      await end({ ids: [subjectId] })
      assert.deepEqual(await resolvedAt(), BEGAN)
    })
  }
})
