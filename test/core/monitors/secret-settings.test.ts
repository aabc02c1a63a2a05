import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesText } from '../../../src/cli/apply/diff.ts'
import { examples } from '../../../src/contract/openapi/examples.ts'
import { DeclaredMonitor } from '../../../src/core/monitors/declaration.ts'
import { MonitorSettings } from '../../../src/core/monitors/monitor.ts'
import { reconcile } from '../../../src/core/monitors/reconcile.ts'
import { SECRET_SETTINGS } from '../../../src/core/monitors/secret-settings.ts'
import { MASK } from '../../../src/core/teams/access.ts'
import { parseFields } from '../../../src/core/validation.ts'
import { sealSettings } from '../../../src/store/monitors/monitor-columns.ts'
import { Vault } from '../../../src/store/sealing/vault.ts'

const FIELDS = { name: 'Shop', type: 'http', url: 'https://example.com/', check_interval_minutes: 5 }
/** `value` in each secret, or in each of its values where the secret is a record. */
const secretsOf = (value: unknown) =>
  Object.fromEntries(
    Object.entries(SECRET_SETTINGS).map(([setting, masked]) => [
      setting,
      masked === 'whole' ? value : { 'X-Key': value },
    ]),
  )

test('every setting that the database holds sealed is marked as a secret, and no other', () => {
  const monitor = MonitorSettings.parse({ ...FIELDS, username: 'ann', ...secretsOf('hidden-value') })
  const columns = Object.entries(sealSettings(1, monitor, new Vault('a key for this test')))
  const sealed = columns.filter(([, value]) => /^v\d\./.test(String(value))).map(([column]) => column)
  assert.deepEqual(sealed.sort(), Object.keys(SECRET_SETTINGS).sort())
})

test('no message of a faulty monitor shows a secret', () => {
  const parsed = parseFields(MonitorSettings, { ...FIELDS, ...secretsOf(987_654_321) })
  assert.ok(!parsed.ok)
  const faulty = Object.keys(parsed.errors).map((field) => field.split('.')[0])
  assert.deepEqual(faulty.sort(), Object.keys(SECRET_SETTINGS).sort())
  assert.doesNotMatch(JSON.stringify(parsed.errors), /987654321/)
})

test('no diff of apply shows a secret', () => {
  const monitor = DeclaredMonitor.parse({ ...FIELDS, username: 'ann', ...secretsOf('hidden-value') })
  const found = reconcile(
    { contacts: [], monitors: [monitor] },
    { team: null, contacts: [], monitors: [], tags: null },
  )
  const lines = changesText(found, { color: false, isHidden: () => false }).split('\n')
  for (const setting of Object.keys(SECRET_SETTINGS)) {
    assert.match(lines.find((line) => line.trim().startsWith(`${setting}:`)) ?? '', /\*{8}$/)
  }
  assert.doesNotMatch(lines.join('\n'), /hidden-value/)
})

test('apply takes secrets that a viewer sees masked for those that are declared', () => {
  const monitor = DeclaredMonitor.parse({ ...FIELDS, ...secretsOf('hidden-value'), password: null })
  const shown = { ...examples.monitor, ...monitor, ...secretsOf(MASK), id: 1, notification_contacts: [] }
  const found = reconcile(
    { contacts: [], monitors: [monitor] },
    { team: null, contacts: [], monitors: [shown], tags: null },
  )
  assert.deepEqual(found.changes, [])
  const bare = DeclaredMonitor.parse(FIELDS)
  const [change] = reconcile(
    { contacts: [], monitors: [bare] },
    { team: null, contacts: [], monitors: [shown], tags: null },
  ).changes
  const removed = change?.action === 'update' && change.fields.map(({ field }) => field)
  assert.deepEqual(
    removed,
    Object.keys(SECRET_SETTINGS).filter((setting) => setting !== 'password'),
  )
})
