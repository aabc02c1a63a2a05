import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { examples } from '../../../src/contract/openapi/examples.ts'
import type { Contact } from '../../../src/core/alerting/contact.ts'
import {
  type DeclarationInput,
  monitorAsWritten,
  parseDeclaration,
} from '../../../src/core/monitors/declaration.ts'
import type { Monitor } from '../../../src/core/monitors/monitor.ts'
import { type Existing, type ReconcileOptions, reconcile } from '../../../src/core/monitors/reconcile.ts'
import { MASK } from '../../../src/core/teams/access.ts'

const OPS: Contact = {
  ...examples.contact,
  id: 1,
  name: 'Ops',
  config: { url: 'https://example.com/hook' },
}

const SHOP: Monitor = {
  ...examples.newMonitor,
  id: 7,
  url: 'https://example.com/',
  status: 'up',
  check_interval_minutes: 5,
  check_interval_seconds: 90,
  request_headers: { A: 'b', C: 'd' },
  username: 'ann',
  has_password: true,
  notification_contacts: [OPS],
}

const { id: _id, ...OPS_WRITTEN } = OPS
const SHOP_WRITTEN = monitorAsWritten(SHOP) as DeclarationInput['monitors'] extends (infer M)[] | undefined
  ? M
  : never

function compare(input: DeclarationInput, existing: Partial<Existing> = {}, options?: ReconcileOptions) {
  const parsed = parseDeclaration(input)
  if (!parsed.ok) assert.fail(JSON.stringify(parsed.errors))
  return reconcile(
    parsed.value,
    { team: null, contacts: [OPS], monitors: [SHOP], tags: null, ...existing },
    options,
  )
}

const both = (monitor: object, contact: object = {}): DeclarationInput => ({
  contacts: [{ ...OPS_WRITTEN, ...contact }],
  monitors: [{ ...SHOP_WRITTEN, ...monitor }],
})

describe('the requests for a difference', () => {
  const table: [what: string, written: object, patch: object | null, contacts?: string[]][] = [
    ['none', {}, null],
    ['headers in another order', { request_headers: { C: 'd', A: 'b' } }, null],
    ['a name of a header', { request_headers: { a: 'b', C: 'd' } }, { request_headers: { a: 'b', C: 'd' } }],
    [
      'minutes alone keep the seconds',
      { check_interval_minutes: 15 },
      { check_interval_minutes: 15, check_interval_seconds: 90 },
    ],
    [
      'seconds that are no longer written',
      { check_interval_seconds: null },
      { check_interval_seconds: null },
    ],
    ['a password that is stored', { password: 'x' }, null],
    ['a password for another user', { username: 'bob', password: 'x' }, { username: 'bob', password: 'x' }],
    ['no user any more', { username: null }, { username: null }],
    ['other contacts', { contacts: [] }, {}, []],
    ['a pause', { is_active: false }, { is_active: false }],
  ]
  for (const [what, written, patch, contacts] of table) {
    test(what, () => {
      const { changes, unchanged } = compare(both(written))
      if (patch === null) return assert.deepEqual([changes, unchanged], [[], 2])
      const [change] = changes
      assert.ok(change?.action === 'update' && change.kind === 'monitor')
      assert.deepEqual([change.id, change.patch, change.contacts], [7, patch, contacts ?? null])
    })
  }
})

test('a config is sent as a whole, for the API replaces it', () => {
  const { changes } = compare(
    both({}, { config: { url: 'https://example.com/other' }, notify_on_down: false }),
  )
  const [change] = changes
  assert.ok(change?.action === 'update')
  assert.deepEqual(change.patch, { config: { url: 'https://example.com/other' }, notify_on_down: false })
})

test('passwords are sent on request, and never shown', () => {
  const { changes, notes } = compare(both({ password: 'secret' }), {}, { passwords: true })
  assert.deepEqual(
    changes.map((change) => change.action === 'update' && change.fields),
    [[{ field: 'password', from: MASK, to: MASK }]],
  )
  assert.deepEqual(notes, [])
  assert.match(compare(both({ password: 'secret' })).notes[0] ?? '', /^Shop: its password is kept/)
  const without = { monitors: [{ ...SHOP, has_password: false }] }
  assert.equal(compare(both({ password: 'secret' }), without).changes.length, 1)
})

test('a value that viewers see masked counts as equal, the text around the mask does not', () => {
  const contacts = [{ ...OPS, config: { url: `https://example.com/${MASK}` } }]
  const monitors = [{ ...SHOP, request_headers: { A: MASK, C: MASK } }]
  assert.deepEqual(compare(both({}), { contacts, monitors }).changes, [])
  const elsewhere = both({}, { config: { url: 'https://elsewhere.example/hook' } })
  assert.equal(compare(elsewhere, { contacts, monitors }).changes.length, 1)
})

test('what a contact may leave out is taken from it where the file leaves it out', () => {
  const url = { webhook_url: 'https://hooks.example/1' }
  const slack: Contact = { ...OPS, type: 'slack', config: { ...url, channel: '#ops' } }
  const { changes } = compare(
    { contacts: [{ ...OPS_WRITTEN, type: 'slack', config: url }] },
    { contacts: [slack], monitors: [] },
  )
  assert.deepEqual(
    changes.map((change) => change.action === 'update' && [change.fields, change.patch]),
    [[[{ field: 'config.channel', from: '#ops', to: undefined }], { config: url }]],
  )
})

test('a record that is not declared stays, and goes last with prune; a contact that is named stays', () => {
  const old = { ...SHOP, id: 8, name: 'Old' }
  const spare = { ...OPS, id: 2, name: 'Spare' }
  const existing = { contacts: [OPS, spare], monitors: [SHOP, old] }
  const declared = { monitors: [SHOP_WRITTEN, { ...SHOP_WRITTEN, name: 'New' }] }
  const kept = compare(declared, existing)
  assert.deepEqual(
    kept.undeclared.map(({ name }) => name),
    ['Old', 'Spare'],
  )
  const pruned = compare(declared, existing, { prune: true })
  assert.deepEqual(
    pruned.changes.map(({ action, kind, name }) => `${action} ${kind} ${name}`),
    ['create monitor New', 'delete monitor Old', 'delete contact Spare'],
  )
})

describe('an impossible change is named by its path', () => {
  const twin = { ...SHOP, id: 8 }
  const table: [what: string, input: DeclarationInput, existing: Partial<Existing>, path: string][] = [
    ['another type', both({ type: 'ssl' }), {}, 'monitors.0.type'],
    ['a name of several monitors', both({}), { monitors: [SHOP, twin] }, 'monitors.0.name'],
    ['a contact that is nowhere', both({ contacts: ['Ops', 'Dev'] }), {}, 'monitors.0.contacts.1'],
    [
      'a contact that is two',
      { monitors: [SHOP_WRITTEN] },
      { contacts: [OPS, { ...OPS, id: 2 }] },
      'monitors.0.contacts.0',
    ],
  ]
  for (const [what, input, existing, path] of table) {
    test(what, () =>
      assert.deepEqual(
        compare(input, existing).faults.map((fault) => fault.path),
        [path],
      ),
    )
  }
})

describe('tags in a file', () => {
  const tagged = { monitors: [{ ...SHOP_WRITTEN, tags: ['env:prod'] }] }
  const withTags = (tags: string[]): Partial<Existing> => ({ tags: new Map([[SHOP.id, tags]]) })

  test('are compared with those that a monitor has, and sent by themselves', () => {
    const [change] = compare(tagged, withTags(['env:test'])).changes
    assert.ok(change?.action === 'update' && change.kind === 'monitor')
    assert.deepEqual(change.fields, [{ field: 'tags', from: ['env:test'], to: ['env:prod'] }])
    assert.deepEqual([change.patch, change.tags], [{}, ['env:prod']])
    assert.deepEqual(compare(tagged, withTags(['env:prod'])).changes, [])
  })

  test('stay as they are where the file says nothing of them, and go where it says none', () => {
    assert.deepEqual(compare({ monitors: [SHOP_WRITTEN] }, withTags(['env:test'])).changes, [])
    const [change] = compare({ monitors: [{ ...SHOP_WRITTEN, tags: [] }] }, withTags(['env:test'])).changes
    assert.ok(change?.action === 'update' && change.kind === 'monitor')
    assert.deepEqual(change.tags, [])
  })

  test('are refused over the API, which has none', () => {
    const { faults } = compare(tagged, { tags: null })
    assert.deepEqual(
      faults.map(({ path }) => path),
      ['monitors.0.tags'],
    )
  })

  test('are written by an export, if there are any', () => {
    assert.deepEqual(monitorAsWritten(SHOP, ['env:prod']).tags, ['env:prod'])
    assert.equal('tags' in monitorAsWritten(SHOP, []), false)
  })
})
