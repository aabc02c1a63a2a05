import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Component } from '../../src/core/status-pages/status-page.ts'
import { inTransaction } from '../../src/postgres/database.ts'
import { readLayout, writeLayout } from '../../src/store/status-pages/layout.ts'
import { openOlderDatabase } from '../support/postgres/older-database.ts'

const KINDS = ['monitor', 'server', 'site'] as const

/** A record of each kind, all with the same id, and a page that shows them beside a component that is set by hand. */
const ROWS = `
  INSERT INTO teams (name, plan, signing_secret) VALUES ('Acme', 'pro', 'sealed');
  INSERT INTO monitors (team_id, name, type, url, is_active, check_interval_minutes, http_method,
      expected_status_codes, request_timeout_seconds, ssl_expiry_warning_days, slot)
    VALUES (1, 'm', 'http', 'https://example.com/', true, 1, 'GET', '{200}', 30, 14, 7);
  INSERT INTO servers (team_id, name, thresholds, token, token_hash) VALUES (1, 's', '{}', 'sealed', '\\x00');
  INSERT INTO sites (team_id, name, url, slot, home_interval_seconds, max_pages, checks_foreign_links, ignored_patterns, areas_off)
    VALUES (1, 'w', 'https://example.com/', 7, 300, 100, false, '{}', '{}');
  INSERT INTO status_pages (team_id, slug, name, description, visibility, networks, language, theme, days, posts, allows_subscribers)
    VALUES (1, 'acme', 'Acme', '', 'public', '{}', 'en', 'light', 90, 'draft', true);
  INSERT INTO status_components (page_id, position, monitor_id, server_id, site_id, name, description, shows_uptime, shows_chart, state)
    VALUES (1, 0, 1, NULL, NULL, 'A', '', true, false, 'operational'), (1, 1, NULL, 1, NULL, 'B', '', true, false, 'operational'),
      (1, 2, NULL, NULL, 1, 'C', '', true, false, 'operational'), (1, 3, NULL, NULL, NULL, 'D', '', true, false, 'degraded')`

async function openFilled(t: TestContext) {
  const { db, bringForward } = await openOlderDatabase(t, '062')
  await db.pool.query(ROWS)
  const read = async (columns: string) =>
    (
      await db.pool.query({
        text: `SELECT name, ${columns} FROM status_components ORDER BY name`,
        rowMode: 'array',
      })
    ).rows
  const older = () => read('id, monitor_id, server_id, site_id')
  const newer = () => read('kind, subject_id')
  return { db, bringForward, older, newer }
}

test('components name what says their state by kind and id, as their columns for each kind did', async (t) => {
  const { db, bringForward, older, newer } = await openFilled(t)
  const before = await older()
  await bringForward()
  assert.deepEqual(await older(), before)
  assert.deepEqual(await newer(), [
    ['A', 'monitor', 1],
    ['B', 'server', 1],
    ['C', 'site', 1],
    ['D', null, null],
  ])
  const { components } = await readLayout(db.query, 1)
  assert.deepEqual(
    components.map((one) => [one.monitor_id, one.server_id, one.site_id, one.subject_name]),
    [
      [1, null, null, 'm'],
      [null, 1, null, 's'],
      [null, null, 1, 'w'],
      [null, null, null, null],
    ],
  )
})

test('what the release before writes of a component is what this one reads, and the other way round', async (t) => {
  const { db, bringForward, older, newer } = await openFilled(t)
  await bringForward()
  // A layout is saved with all columns of each component, some of them as they were.
  const saved = (name: string, ids: string) =>
    db.pool.query(`UPDATE status_components AS c SET position = s.position, monitor_id = s.monitor_id, server_id = s.server_id,
      site_id = s.site_id, name = s.name FROM (VALUES ('${name}', 5, ${ids})) AS s (name, position, monitor_id, server_id, site_id)
      WHERE c.name = s.name`)
  await saved('A', 'NULL::int, 1, NULL::int')
  await saved('B', 'NULL::int, 1, NULL::int')
  await saved('C', 'NULL::int, NULL::int, NULL::int')
  await saved('D', 'NULL::int, NULL::int, 1')
  await db.pool.query(`INSERT INTO status_components (page_id, position, monitor_id, name, description, shows_uptime, shows_chart, state)
    SELECT 1, position, monitor_id, name, '', true, false, 'operational'
    FROM (VALUES (6, 1, 'E'), (7, NULL, 'F')) AS s (position, monitor_id, name)`)
  assert.deepEqual(await newer(), [
    ['A', 'server', 1],
    ['B', 'server', 1],
    ['C', null, null],
    ['D', 'site', 1],
    ['E', 'monitor', 1],
    ['F', null, null],
  ])
  const { components } = await readLayout(db.query, 1)
  const idOf = (name: string) => components.find((one) => one.name === name)?.id
  const component = (name: string, ids: object, position: number) => ({
    ...Component.parse({ id: idOf(name), monitor_id: null, name, ...ids }),
    ...{ group: null, position },
  })
  const placed = [
    component('A', { site_id: 1 }, 0),
    component('B', { server_id: 1 }, 1),
    component('C', { monitor_id: 1 }, 2),
    component('D', {}, 3),
    { ...component('G', { server_id: 1 }, 4), id: null },
  ]
  await inTransaction(db.pool, () => writeLayout(db.query, 1, { groups: [], components: placed }))
  const ofEach = (await older()).map(([name, _id, ...ids]) => [name, ...ids])
  assert.deepEqual(ofEach, [
    ['A', null, null, 1],
    ['B', null, 1, null],
    ['C', 1, null, null],
    ['D', null, null, null],
    ['G', null, 1, null],
  ])
})

test('a component goes with its subject alone, and refers to none that is not there', async (t) => {
  const { db, bringForward, newer } = await openFilled(t)
  await bringForward()
  await assert.rejects(
    db.pool.query("UPDATE status_components SET subject_id = 7 WHERE name = 'A'"),
    /violates foreign key/,
  )
  await assert.rejects(
    db.pool.query("UPDATE status_components SET kind = NULL WHERE name = 'A'"),
    /violates check/,
  )
  for (const [index, kind] of KINDS.entries()) {
    await db.pool.query(`DELETE FROM ${kind}s WHERE id = 1`)
    const left = ['A', 'B', 'C', 'D'].slice(index + 1)
    assert.deepEqual(
      (await newer()).map(([name]) => name),
      left,
    )
  }
})
