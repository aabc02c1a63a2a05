import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseDeclaration } from '../../../src/core/monitors/declaration.ts'

const SHOP = { name: 'Shop', type: 'http', url: 'https://example.com/', check_interval_minutes: 5 }
const OPS = { name: 'Ops', type: 'webhook', config: { url: 'https://example.com/hook' } }

function accepted(input: unknown) {
  const parsed = parseDeclaration(input)
  if (!parsed.ok) assert.fail(JSON.stringify(parsed.errors))
  return parsed.value
}

test('an empty declaration is one without contacts and monitors', () => {
  assert.deepEqual(accepted(null), { contacts: [], monitors: [] })
})

test('an omitted key has the default of the API', () => {
  const { contacts, monitors } = accepted({ contacts: [OPS], monitors: [{ ...SHOP, contacts: ['Ops'] }] })
  assert.deepEqual(contacts, [{ ...OPS, notify_on_down: true, notify_on_recovery: true }])
  const { http_method, expected_status_codes, is_active, password } = monitors[0] ?? assert.fail()
  assert.deepEqual([http_method, expected_status_codes, is_active, password], ['GET', [200], true, null])
  assert.deepEqual(monitors[0]?.contacts, ['Ops'])
})

test('a value that the API would drop or change is written as the API returns it', () => {
  const chat = { name: 'Chat', type: 'telegram', config: { bot_token: '1:a', chat_id: -5 } }
  const job = { name: 'Job', type: 'heartbeat', url: 'https://example.com/', check_interval_minutes: 5 }
  const login = { ...SHOP, username: '', password: '', request_headers: {} }
  const { contacts, monitors } = accepted({ contacts: [chat], monitors: [job, login] })
  assert.deepEqual(contacts[0]?.config, { bot_token: '1:a', chat_id: '-5' })
  const [heartbeat, web] = monitors
  assert.equal(heartbeat?.url, null)
  assert.deepEqual([web?.username, web?.password, web?.request_headers], [null, null, null])
})

describe('a fault is named by its path', () => {
  const of = (monitor: object) => ({ monitors: [SHOP, { name: 'Other', ...monitor }] })
  const table: [what: string, input: unknown, path: string, message: RegExp][] = [
    ['no object', [], 'body', /^body must be an object, got an array$/],
    ['an unknown list', { monitor: [] }, 'monitor', /^monitor is not known here$/],
    [
      'a list of maintenance windows',
      { maintenance_windows: [] },
      'maintenance_windows',
      /^maintenance_windows is not known here: maintenance windows are made in the dashboard, .*maintenance\.md\)$/,
    ],
    [
      'maintenance of a monitor',
      of({ ...SHOP, maintenance: [] }),
      'monitors.1.maintenance',
      /^monitors\.1\.maintenance is not known here: maintenance windows are made/,
    ],
    ['a typing error in a monitor', { monitors: [{ ...SHOP, prot: 80 }] }, 'monitors.0.prot', /is not known/],
    [
      'IDs of contacts',
      of({ notification_contact_ids: [1] }),
      'monitors.1.notification_contact_ids',
      /known/,
    ],
    [
      'a missing field',
      { monitors: [{ name: 'X', type: 'icmp' }] },
      'monitors.0.check_interval_minutes',
      /req/,
    ],
    ['a name twice', { monitors: [SHOP, SHOP] }, 'monitors.1.name', /must be unique.*"Shop"$/],
    ['a contact twice', { contacts: [OPS, OPS] }, 'contacts.1.name', /must be unique.*"Ops"$/],
    [
      'a rule over several fields',
      { monitors: [{ ...SHOP, type: 'tcp' }] },
      'monitors.0.port',
      /required when/,
    ],
    [
      'a contact repeated',
      { monitors: [{ ...SHOP, contacts: ['A', 'A'] }] },
      'monitors.0.contacts.1',
      /repeat/,
    ],
    ['a lone password', { monitors: [{ ...SHOP, password: 'x' }] }, 'monitors.0.password', /username/],
    ['an incomplete config', { contacts: [{ ...OPS, config: {} }] }, 'contacts.0.config.url', /is required$/],
    ['a bad config', { contacts: [{ ...OPS, config: { url: 'x' } }] }, 'contacts.0.config.url', /got "x"$/],
    [
      'a config of another type',
      { contacts: [{ ...OPS, config: { ...OPS.config, email: 'a@b.c' } }] },
      'contacts.0.config.email',
      /is not known here$/,
    ],
    [
      'attaching',
      { contacts: [{ ...OPS, attach_to_existing: true }] },
      'contacts.0.attach_to_existing',
      /known/,
    ],
  ]
  for (const [what, input, path, message] of table) {
    test(what, () => {
      const parsed = parseDeclaration(input)
      if (parsed.ok) return assert.fail('was accepted')
      assert.ok(Object.keys(parsed.errors).includes(path), JSON.stringify(parsed.errors))
      assert.match(parsed.errors[path]?.[0] ?? '', message)
    })
  }
})
