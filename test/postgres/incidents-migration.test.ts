import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Database, inTransaction } from '../../src/postgres/database.ts'
import { insertDeliveries, type Recipient } from '../../src/store/alerting/new-deliveries.ts'
import { openIncident, resolveIncident } from '../../src/store/incidents/recording.ts'
import { holdIncident } from '../../src/store/on-call/acknowledgements.ts'
import { holdDueEscalation } from '../../src/store/on-call/due-steps.ts'
import { readTold } from '../../src/store/on-call/new-escalations.ts'
import { openOlderDatabase } from '../support/postgres/older-database.ts'

const KINDS = ['monitor', 'server', 'site'] as const
type Kind = (typeof KINDS)[number]
const COLUMN = {
  monitor: 'incident_id',
  server: 'server_incident_id',
  site: 'site_incident_id',
  drill: 'drill_id',
}
const TABLE = { monitor: 'incidents', server: 'server_incidents', site: 'site_incidents' }
const LINKS = {
  monitor: 'status_post_incidents',
  server: 'status_post_server_incidents',
  site: 'status_post_site_incidents',
}

/** Two records of each kind, and a page with a post. */
const RECORDS = `
  INSERT INTO teams (name, plan, signing_secret) VALUES ('Acme', 'pro', 'sealed');
  INSERT INTO contacts (team_id, name, type, config) SELECT 1, name, 'email', 'sealed' FROM unnest('{Ops,Dev}'::text[]) AS name;
  INSERT INTO escalation_policies (team_id, name, steps, repeat_every_minutes) VALUES (1, 'Day', '[]', 60);
  INSERT INTO monitors (team_id, name, type, url, is_active, check_interval_minutes, http_method,
      expected_status_codes, request_timeout_seconds, ssl_expiry_warning_days, slot)
    SELECT 1, name, 'http', 'https://example.com/', true, 1, 'GET', '{200}', 30, 14, 7 FROM unnest('{m1,m2}'::text[]) AS name;
  INSERT INTO servers (team_id, name, thresholds, token, token_hash)
    SELECT 1, name, '{}', 'sealed', sha256(name::bytea) FROM unnest('{s1,s2}'::text[]) AS name;
  INSERT INTO sites (team_id, name, url, slot, home_interval_seconds, max_pages, checks_foreign_links, ignored_patterns, areas_off)
    SELECT 1, name, 'https://example.com/', 7, 300, 100, false, '{}', '{}' FROM unnest('{w1,w2}'::text[]) AS name;
  INSERT INTO status_pages (team_id, slug, name, description, visibility, networks, language, theme, days, posts, allows_subscribers)
    VALUES (1, 'acme', 'Acme', '', 'public', '{}', 'en', 'light', 90, 'draft', true);`

/** Incidents of each kind: 1 is over, 2 is open, and 3 is gone. */
const INCIDENTS = `
  INSERT INTO incidents (team_id, monitor_id, started_at, resolved_at, cause)
    VALUES (1, 1, '2026-11-01', '2026-11-02', NULL), (1, 1, '2026-11-03', NULL, 'HTTP 503'), (1, 2, '2026-11-04', NULL, 'gone');
  INSERT INTO server_incidents (team_id, server_id, condition, warns_only, started_at, resolved_at, cause, processes)
    VALUES (1, 1, 'silent', false, '2026-11-01', '2026-11-02', 'no report', NULL),
      (1, 1, 'cpu', true, '2026-11-03', NULL, 'busy', '[{"name": "cc1"}]'), (1, 2, 'cpu', false, '2026-11-04', NULL, 'gone', NULL);
  INSERT INTO site_incidents (team_id, site_id, area, started_at, resolved_at, cause)
    VALUES (1, 1, 'dns', '2026-11-01', '2026-11-02', 'no host'), (1, 1, 'home_page', '2026-11-03', NULL, 'HTTP 503'),
      (1, 2, 'dns', '2026-11-04', NULL, 'gone');
  DELETE FROM incidents WHERE id = 3; DELETE FROM server_incidents WHERE id = 3; DELETE FROM site_incidents WHERE id = 3;
  INSERT INTO drills (team_id, policy_id, started_at, resolved_at) VALUES (1, 1, '2026-11-05', '2026-11-06'), (1, 1, now(), 'infinity');
  INSERT INTO status_posts (page_id, team_id, kind, title, phase, started_at, incident_id)
    VALUES (1, 1, 'incident', 'Trouble', 'identified', now(), 2), (1, 1, 'incident', 'More', 'identified', now(), NULL);
  INSERT INTO deliveries (team_id, contact_id, contact_name, contact_type, event, alert) VALUES (1, 1, 'Ops', 'email', 'test', '{}');`

/** Statements for what people and the service have written about the incidents of a kind. */
const aboutKind = (kind: Kind) => `
  INSERT INTO deliveries (team_id, contact_id, contact_name, contact_type, ${kind}_id, ${COLUMN[kind]}, event, alert, state, step)
    SELECT 1, c.id, c.name, c.type, 1, i.id, '${kind}.down', '{}', CASE WHEN i.id = 1 THEN 'sent' ELSE 'pending' END, 0
    FROM ${TABLE[kind]} i, contacts c;
  INSERT INTO deliveries (team_id, contact_id, contact_name, contact_type, ${kind}_id, event, alert)
    VALUES (1, 1, 'Ops', 'email', 2, '${kind}.degraded', '{}');
  INSERT INTO acknowledgements (team_id, ${COLUMN[kind]}, via, contact_id, acknowledged_at, withdrawn_at)
    VALUES (1, 2, 'link', 1, '2026-11-03', '2026-11-04'), (1, 2, 'link', 2, '2026-11-05', NULL);
  INSERT INTO incident_notes (team_id, ${COLUMN[kind]}, text, written_at) VALUES (1, 2, 'looking', '2026-11-05');
  INSERT INTO ${LINKS[kind]} VALUES (1, 2, 1)`

/** An incident with a step that is due, and one that was executed. */
const escalated = (kind: keyof typeof COLUMN) => `
  WITH e AS (
    INSERT INTO escalations (team_id, ${COLUMN[kind]}, policy_name, steps, repeats, repeat_every_minutes, alert, runs_from)
      VALUES (1, 2, 'Day', '[]', 0, 60, '{}', now()) RETURNING id)
  INSERT INTO escalation_steps (escalation_id, kind, number, round, due_at, look_at, state)
    SELECT id, 'step', number, 0, now() - interval '1 day', now() - interval '1 day', state
    FROM e, (VALUES (1, 'done'), (2, 'waiting')) AS step (number, state)`

/** A database of the release before with all that incidents may have. */
async function openFilled(t: TestContext) {
  const { db, bringForward } = await openOlderDatabase(t, '058')
  await db.pool.query(RECORDS)
  await db.pool.query(INCIDENTS)
  for (const kind of KINDS) await db.pool.query(aboutKind(kind))
  for (const kind of ['monitor', 'server', 'site', 'drill'] as const) await db.pool.query(escalated(kind))
  return { db, bringForward }
}

const OLD_KIND = (drills = ', drill_id') => `CASE WHEN incident_id IS NOT NULL THEN 'monitor'
  WHEN server_incident_id IS NOT NULL THEN 'server' WHEN site_incident_id IS NOT NULL THEN 'site' ELSE ${drills ? "'drill'" : 'NULL'} END AS kind,
  coalesce(incident_id, server_incident_id, site_incident_id${drills}) AS team_incident_id`

/** The same rows, as each schema has them. */
const ROWS: [before: string, after: string][] = [
  [
    `SELECT 'monitor' AS kind, id, monitor_id AS subject_id, NULL::int AS policy_id, NULL AS about, false AS warns_only,
       started_at, resolved_at, cause, NULL::jsonb AS processes FROM incidents
     UNION ALL SELECT 'server', id, server_id, NULL, condition, warns_only, started_at, resolved_at, cause, processes FROM server_incidents
     UNION ALL SELECT 'site', id, site_id, NULL, area, false, started_at, resolved_at, cause, NULL FROM site_incidents
     UNION ALL SELECT 'drill', id, NULL, policy_id, NULL, false, started_at, resolved_at, NULL, NULL FROM drills ORDER BY 1, 2`,
    `SELECT kind, id, subject_id, policy_id, about, warns_only, started_at, resolved_at, cause, processes
     FROM team_incidents ORDER BY 1, 2`,
  ],
  [
    `SELECT id, message_id, event, state, step, attempts, contact_id, next_attempt_at,
       CASE WHEN monitor_id IS NOT NULL THEN 'monitor' WHEN server_id IS NOT NULL THEN 'server' WHEN site_id IS NOT NULL THEN 'site' END AS kind,
       coalesce(monitor_id, server_id, site_id) AS subject_id,
       coalesce(incident_id, server_incident_id, site_incident_id) AS team_incident_id FROM deliveries ORDER BY id`,
    `SELECT id, message_id, event, state, step, attempts, contact_id, next_attempt_at, kind, subject_id, team_incident_id
     FROM deliveries ORDER BY id`,
  ],
  ...(['escalations', 'acknowledgements'] as const).map((table): [string, string] => [
    `SELECT id, ${OLD_KIND()} FROM ${table} ORDER BY id`,
    `SELECT id, kind, team_incident_id FROM ${table} ORDER BY id`,
  ]),
  [
    `SELECT id, text, ${OLD_KIND('')} FROM incident_notes ORDER BY id`,
    'SELECT id, text, kind, team_incident_id FROM incident_notes ORDER BY id',
  ],
  ...[
    'SELECT * FROM escalation_steps ORDER BY id',
    'SELECT id, via, contact_id, acknowledged_at, withdrawn_at FROM acknowledgements ORDER BY id',
    'SELECT id, incident_id FROM status_posts ORDER BY id',
  ].map((same): [string, string] => [same, same]),
  [
    KINDS.map(
      (kind) =>
        `SELECT '${kind}' AS kind, page_id, ${COLUMN[kind]} AS team_incident_id, post_id FROM ${LINKS[kind]}`,
    ).join(' UNION ALL '),
    'SELECT kind, page_id, team_incident_id, post_id FROM incident_posts ORDER BY kind',
  ],
]

async function read({ pool }: Database, statements: string[]): Promise<unknown[]> {
  const found: unknown[] = []
  for (const text of statements) found.push((await pool.query(text)).rows)
  return found
}

const statementsOf = (place: 0 | 1) => ROWS.map((row) => row[place])

test('incidents of every kind, and what refers to them, come into one table each, with their ids', async (t) => {
  const { db, bringForward } = await openFilled(t)
  const before = await read(db, statementsOf(0))
  for (const rows of before) assert.ok((rows as unknown[]).length > 0)
  await bringForward()
  assert.deepEqual(await read(db, statementsOf(1)), before)
  // The release before finds all of it where it was.
  assert.deepEqual(await read(db, statementsOf(0)), before)
})

test('what waited goes on after it, and nothing is told a second time', async (t) => {
  const { db, bringForward } = await openFilled(t)
  await bringForward()
  const held: string[] = []
  await inTransaction(db.pool, async (client) => {
    for (let one = await holdDueEscalation(client); one; one = await holdDueEscalation(client)) {
      held.push(`${one.ref.kind} ${one.ref.id} of ${one.subject?.id ?? one.policyName}`)
      await client.query(`UPDATE escalation_steps SET state = 'done' WHERE escalation_id = $1`, [one.id])
    }
  })
  assert.deepEqual(held.sort(), ['drill 2 of Day', 'monitor 2 of 1', 'server 2 of 1', 'site 2 of 1'])
  const recipients = [1, 2].map((contactId) => ({ contactId, name: 'Ops', type: 'email' }) as Recipient)
  const count = async () => (await db.pool.query('SELECT FROM deliveries')).rowCount
  const known = await count()
  for (const kind of KINDS)
    await inTransaction(db.pool, async (client) => {
      const about = { teamId: 1, subject: { kind, id: 1 }, alert: '{}', recipients }
      for (const incidentId of [1, 2]) {
        await insertDeliveries(client, { ...about, incidentId, event: `${kind}.down` })
      }
      const { acknowledged } = await readTold(client, { kind, id: 2 })
      assert.equal(acknowledged?.by, 'Dev')
      assert.equal((await holdIncident(db.query, 1, { kind, id: 2 }))?.isOver, false)
      assert.ok(await resolveIncident(client, { kind, id: 2 }, new Date()))
    })
  assert.equal(await count(), known)
  const { rows: open } = await db.pool.query(
    "SELECT id FROM team_incidents WHERE resolved_at IS NULL AND kind <> 'drill'",
  )
  assert.deepEqual(open, [], 'each was resolved alone')
})

test('new incidents get ids that none had, also none that is gone', async (t) => {
  const { db, bringForward } = await openFilled(t)
  await bringForward()
  const about = { teamId: 1, subjectId: 2, startedAt: new Date(), cause: 'x' }
  const ids: number[] = []
  for (const incident of [
    { kind: 'monitor', ...about },
    { kind: 'server', about: 'cpu', ...about },
    { kind: 'site', about: 'dns', ...about },
  ] as const)
    ids.push(await openIncident(db.pool, incident))
  assert.deepEqual(
    ids.toSorted((a, b) => a - b),
    ids,
  )
  assert.ok((ids[0] as number) > 3, `${ids}`)
  const again = { kind: 'server', about: 'cpu', ...about } as const
  await assert.rejects(openIncident(db.pool, again), /team_incidents_open/)
})

test('what a subject has goes with it, and nothing of others by the same ids', async (t) => {
  const { db, bringForward } = await openFilled(t)
  await bringForward()
  await db.pool.query('DELETE FROM servers WHERE id = 1')
  for (const table of [
    'team_incidents',
    'escalations',
    'acknowledgements',
    'incident_notes',
    'incident_posts',
  ]) {
    const { rows } = await db.pool.query<{ kind: Kind }>(`SELECT DISTINCT kind FROM ${table} ORDER BY kind`)
    const kinds = rows.map(({ kind }) => kind).filter((kind) => (kind as string) !== 'drill')
    assert.deepEqual(kinds, ['monitor', 'site'], table)
  }
  const { rows } = await db.pool.query("SELECT DISTINCT subject_id FROM deliveries WHERE kind = 'server'")
  assert.deepEqual(rows, [{ subject_id: 2 }])
  await db.pool.query("DELETE FROM team_incidents WHERE kind = 'monitor'")
  const { rows: posts } = await db.pool.query('SELECT incident_id FROM status_posts')
  assert.deepEqual(posts, [{ incident_id: null }, { incident_id: null }])
})

/** An incident as the release before opens it, and all that it writes about it; `$1`: its id. */
const OLDER = {
  monitor:
    "INSERT INTO incidents (team_id, monitor_id, started_at, cause) VALUES (1, 2, '2026-11-07', 'older')",
  server: `INSERT INTO server_incidents (team_id, server_id, condition, warns_only, started_at, cause, processes)
    VALUES (1, 2, 'cpu', true, '2026-11-07', 'older', '[{"name": "cc1"}]')`,
  site: "INSERT INTO site_incidents (team_id, site_id, area, started_at, cause) VALUES (1, 2, 'dns', '2026-11-07', 'older')",
  drill: "INSERT INTO drills (team_id, policy_id, started_at, resolved_at) VALUES (1, 1, now(), 'infinity')",
}
const olderAbout = (kind: keyof typeof OLDER) => [
  `INSERT INTO escalations (team_id, ${COLUMN[kind]}, policy_name, steps, repeats, repeat_every_minutes, alert, runs_from)
   VALUES (1, $1, 'Day', '[]', 0, 60, '{}', now())`,
  `INSERT INTO acknowledgements (team_id, ${COLUMN[kind]}, via, contact_id, acknowledged_at) VALUES (1, $1, 'link', 1, now())`,
  ...(kind === 'drill'
    ? []
    : [
        ...[1, 2].map(
          (
            contact,
          ) => `INSERT INTO deliveries AS d (team_id, ${kind}_id, ${COLUMN[kind]}, event, alert, step, contact_id,
             contact_name, contact_type) VALUES (1, 2, $1, '${kind}.down', '{}', 0, ${contact}, 'Ops', 'email')
           ON CONFLICT DO NOTHING`,
        ),
        `INSERT INTO incident_notes (team_id, ${COLUMN[kind]}, text, written_at) VALUES (1, $1, 'seen', now())`,
        `INSERT INTO ${LINKS[kind]} (page_id, ${COLUMN[kind]}, post_id) VALUES (1, $1, 1) ON CONFLICT DO NOTHING`,
      ]),
]
const REFERRING = ['deliveries', 'escalations', 'acknowledgements', 'incident_notes', 'incident_posts']

test('what the release before writes is what this one reads, and the other way round', async (t) => {
  const { db, bringForward } = await openFilled(t)
  await bringForward()
  for (const kind of [...KINDS, 'drill'] as const) {
    const { rows } = await db.pool.query<{ id: number }>(`${OLDER[kind]} RETURNING id`)
    const id = rows[0]?.id as number
    for (const text of olderAbout(kind)) await db.pool.query(text, [id])
    for (const table of REFERRING) {
      const found = await db.pool.query(`SELECT FROM ${table} WHERE kind = $1 AND team_incident_id = $2`, [
        kind,
        id,
      ])
      const expected = kind === 'drill' && !/^(esc|ack)/.test(table) ? 0 : table === 'deliveries' ? 2 : 1
      assert.equal(found.rowCount, expected, `${table} of a ${kind}`)
    }
    const once = `INSERT INTO escalations (team_id, ${COLUMN[kind]}, steps, repeats, repeat_every_minutes, alert, runs_from)
      VALUES (1, $1, '[]', 0, 60, '{}', now())`
    await assert.rejects(db.pool.query(once, [id]), /duplicate key/)
    assert.equal((await holdIncident(db.query, 1, { kind, id }))?.isOver, false)
    if (kind === 'drill') continue
    const again = olderAbout(kind).find((text) => text.includes('deliveries')) as string
    assert.equal((await db.pool.query(again, [id])).rowCount, 0, 'an incident tells a contact once')
    await assert.rejects(db.pool.query(OLDER[kind]), /team_incidents_open/)
    await inTransaction(db.pool, async (client) => {
      assert.equal((await resolveIncident(client, { kind, id }, new Date()))?.cause, 'older')
    })
  }
  for (const incident of [
    { kind: 'monitor', cause: 'newer' },
    { kind: 'server', about: 'cpu', warnsOnly: true, cause: 'newer' },
    { kind: 'site', about: 'dns', cause: 'newer' },
  ] as const) {
    const { kind } = incident
    const id = await openIncident(db.pool, { ...incident, teamId: 1, subjectId: 2, startedAt: new Date() })
    await inTransaction(db.pool, (client) =>
      insertDeliveries(client, {
        ...{ teamId: 1, subject: { kind, id: 2 }, incidentId: id, event: `${kind}.down`, alert: '{}' },
        recipients: [{ contactId: 1, name: 'Ops', type: 'email' } as Recipient],
      }),
    )
    const { rows } = await db.pool.query(
      `SELECT d.${kind}_id AS subject, i.cause FROM deliveries d JOIN ${TABLE[kind]} i ON i.id = d.${COLUMN[kind]}
       WHERE d.${COLUMN[kind]} = $1 AND num_nonnulls(d.monitor_id, d.server_id, d.site_id) = 1`,
      [id],
    )
    assert.deepEqual(rows, [{ subject: 2, cause: 'newer' }])
    const ended = `UPDATE ${TABLE[kind]} SET resolved_at = greatest(started_at, now()) WHERE id = $1 AND resolved_at IS NULL
      RETURNING cause`
    assert.deepEqual((await db.pool.query(ended, [id])).rows, [{ cause: 'newer' }])
    await inTransaction(db.pool, async (client) => {
      assert.equal(
        await resolveIncident(client, { kind, id }, new Date()),
        null,
        'the older one has ended it',
      )
    })
  }
  // It gives the name `kind` to a column beside all those of an incident.
  await db.pool.query(`SELECT at, kind, id FROM (SELECT 'opened' AS kind, * FROM (
    SELECT i.*, i.started_at AS at, m.name FROM incidents i JOIN monitors m ON m.id = i.monitor_id) AS opened) AS events`)
  for (const [before, after] of ROWS) {
    const [older, newer] = await read(db, [before, after])
    assert.deepEqual(older, newer)
  }
})
