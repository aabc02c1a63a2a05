import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as z from 'zod'
import { controlsOf, type PartsControl } from '../../../dashboard/forms/controls.ts'
import { holdParts, ofKind, partsIn, readParts, sayParts, writeParts } from '../../../dashboard/forms/monitors/parts-draft.ts'
import { OPTION_CONTROLS } from '../../../dashboard/forms/monitors/option-draft.ts'

const SCHEMA = z.strictObject({
  door: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('key'), shape: z.string().max(9_000), turns: z.int().min(1).max(9).optional() }),
      z.strictObject({ kind: z.literal('open') }),
    ])
    .nullable()
    .optional(),
})

describe('an object in a form', () => {
  const tls = OPTION_CONTROLS['options.tls'] as PartsControl
  const door = controlsOf(SCHEMA, '').door as PartsControl

  it('has a field for each member, and what stands as it begins is not set', () => {
    assert.deepEqual([tls.kind, tls.chooser, Object.keys(tls.kinds[0]?.controls ?? {})], [
      ...['parts', null],
      ['verify', 'ca', 'client_certificate', 'client_key', 'server_name'],
    ])
    for (const value of [{ verify: false }, { ca: 'PEM', server_name: 'a.example' }])
      assert.deepEqual(readParts(tls, holdParts(tls, value)), value)
    assert.deepEqual(partsIn(tls, '').draft, {
      ...{ verify: true, ca: '', client_certificate: '', client_key: '', server_name: '' },
    })
    for (const nothing of ['', holdParts(tls, null), holdParts(tls, { verify: true }), holdParts(tls, {})])
      assert.equal(readParts(tls, nothing), null)
  })

  it('has the members of the kind that is chosen', () => {
    assert.deepEqual([door.chooser, door.kinds.map(({ name }) => name)], ['kind', ['key', 'open']])
    assert.equal(door.kinds[0]?.controls.shape?.kind, 'lines')
    const value = { kind: 'key', shape: 'oval', turns: 2 }
    assert.deepEqual(readParts(door, holdParts(door, value)), value)
    assert.deepEqual(readParts(door, writeParts(ofKind(door, 'open'))), { kind: 'open' })
    assert.equal(readParts(door, writeParts(ofKind(door, ''))), null)
    const { kind, draft } = ofKind(door, 'key')
    assert.deepEqual(readParts(door, writeParts({ kind, draft: { ...draft, turns: 'many' } })), {
      ...{ kind: 'key', turns: 'many' },
    })
  })

  it('is compared by its members, without their values', () => {
    assert.equal(sayParts(door, holdParts(door, { kind: 'key', shape: 'oval' })), 'key, shape')
    assert.equal(sayParts(tls, ''), '–')
  })
})
