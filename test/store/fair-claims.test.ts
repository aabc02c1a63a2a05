import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mostOfOne } from '../../src/core/sharing/share.ts'
import { sizeOf } from '../../src/core/sharing/shared.ts'
import { queuedLetters } from '../../src/store/accounts/letters.ts'
import { claimDeliveries } from '../../src/store/alerting/deliveries.ts'
import type { Claim } from '../../src/store/claims.ts'
import { queuedReportMails } from '../../src/store/reports/mail-queue.ts'
import { queuedNotices } from '../../src/store/status-pages/notice-queue.ts'
import { openTestDatabase, type TestDatabase } from '../support/postgres/database.ts'
import { addContacts } from '../support/records/alerting.ts'
import { addRow } from '../support/records/rows.ts'
import { addStatusPage, addSubscriber } from '../support/records/status-pages.ts'
import { addTeam } from '../support/records/teams.ts'
import { DOWN } from '../support/servers/receivers-alert.ts'

type Claimed = { id: number; teamId: number }
/** A queue says how a team's rows come into it, all due since some time, and how they are claimed. */
type Trial = { add(teamId: number, count: number): Promise<void>; claim(claim: Claim): Promise<Claimed[]> }

let database: TestDatabase
before(async () => {
  database = await openTestDatabase()
})
after(() => database?.close())

const openable = { open: () => '{"url":""}' } as never
const sql = (text: string, values: unknown[]) => database.db.pool.query(text, values)
const SINCE = "now() - interval '1 hour' + n * interval '1 second'"

const TRIALS = {
  alerts: {
    async add(teamId, count) {
      const [contactId] = await addContacts(database.db, [{ team_id: teamId }])
      await sql(
        `INSERT INTO deliveries (team_id, event, alert, contact_id, contact_name, contact_type, next_attempt_at)
         SELECT $1, 'test', $2, $3, 'Ops', 'webhook', ${SINCE} FROM generate_series(1, $4) AS n`,
        [teamId, JSON.stringify(DOWN), contactId, count],
      )
    },
    claim: (claim) => claimDeliveries(database.db, openable, claim),
  },
  notices: {
    async add(teamId, count) {
      const pageId = await addStatusPage(database.db, teamId)
      const subscriberId = await addSubscriber(database.db, database.vault, { teamId, pageId })
      await sql(
        `INSERT INTO status_notices (subscriber_id, team_id, next_attempt_at)
         SELECT $1, $2, ${SINCE} FROM generate_series(1, $3) AS n`,
        [subscriberId, teamId, count],
      )
    },
    claim: (claim) => queuedNotices.claim(database.db, claim),
  },
  reportMails: {
    async add(teamId, count) {
      const report = await addRow(database.db, 'reports', {
        ...{ team_id: teamId, name: 'All', time_zone: 'UTC', all_subjects: true },
        ...{ monitor_ids: [], server_ids: [], site_ids: [], next_mail_at: new Date('2100-01-01') },
      })
      await sql(
        `WITH readers AS (
           INSERT INTO report_recipients (team_id, report_id, address_hash, address, token_hash, token)
           SELECT $1::int, $2::int, decode(md5(n::text), 'hex'), '', decode(md5($1::text || ' ' || n), 'hex'), ''
           FROM generate_series(1, $3::int) AS n RETURNING id),
         edition AS (
           INSERT INTO report_editions (report_id, month, content) VALUES ($2::int, '2026-10', '{}') RETURNING report_id)
         INSERT INTO report_mails (report_id, month, recipient_id, team_id, next_attempt_at)
         SELECT e.report_id, '2026-10', r.id, $1::int, ${SINCE}
         FROM edition e, (SELECT id, row_number() OVER () AS n FROM readers) AS r`,
        [teamId, report.id, count],
      )
    },
    claim: (claim) => queuedReportMails.claim(database.db, claim),
  },
  letters: {
    async add(teamId, count) {
      await sql(
        `INSERT INTO letters (content, expires_at, team_id, next_attempt_at)
         SELECT '', 'infinity', $1, ${SINCE} FROM generate_series(1, $2) AS n`,
        [teamId, count],
      )
    },
    claim: (claim) => queuedLetters.claim(database.db, claim),
  },
} satisfies { [name: string]: Trial }

describe('claims of a queue, where one team has 1,000 older rows and another one has one', () => {
  for (const [name, { add, claim }] of Object.entries(TRIALS) as [keyof typeof TRIALS, Trial][]) {
    it(`take the one along with a share of the many: ${name}`, async () => {
      const places = sizeOf(name)
      const hostile = await addTeam(database.db)
      const quiet = await addTeam(database.db)
      await add(hostile, 1_000)
      await add(quiet, 1)
      const holder = crypto.randomUUID()
      const next = (held: readonly number[]) =>
        claim({ holder, leaseSeconds: 600, limit: places - held.length, held })

      const first = (await next([])).map(({ teamId }) => teamId)
      assert.equal(first.filter((teamId) => teamId === quiet).length, 1, 'the quiet one is among the first')
      const many = first.filter((teamId) => teamId === hostile)
      assert.ok(many.length >= 1 && many.length <= mostOfOne(places), `${many.length} of ${places}`)

      // None of the many ends: the places of the others stay theirs.
      const held = [...many]
      for (let claims = 0; claims < 5; claims++) held.push(...(await next(held)).map(({ teamId }) => teamId))
      assert.deepEqual([...new Set(held)], [hostile])
      assert.equal(held.length, mostOfOne(places))
      await add(await addTeam(database.db), 1)
      const after = await next(held)
      assert.equal(after.length, 1, 'a place is free at once')
      assert.notEqual(after[0]?.teamId, hostile)
    })
  }

  it('take rows of every team, also of more than are looked at together', async () => {
    await sql('DELETE FROM letters', [])
    const teams = Array.from({ length: 1_000 }, (_, index) => index + 1_000_000)
    await sql(
      `INSERT INTO letters (content, expires_at, team_id, next_attempt_at)
       SELECT '', 'infinity', team_id, now() - interval '1 minute' FROM unnest($1::int[]) AS t (team_id)`,
      [teams],
    )
    const claim = { holder: crypto.randomUUID(), leaseSeconds: 600, limit: 8 }
    const seen = new Set<number>()
    for (;;) {
      const claimed = await queuedLetters.claim(database.db, claim)
      if (claimed.length === 0) break
      for (const { teamId } of claimed) seen.add(teamId)
    }
    assert.ok(teams.every((teamId) => seen.has(teamId)))
  })
})
