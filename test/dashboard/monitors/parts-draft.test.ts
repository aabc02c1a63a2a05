import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as z from 'zod'
import { type Control, controlsOf, type PartsControl } from '../../../dashboard/forms/controls.ts'
import { draftOf, readDraft, sayHeld } from '../../../dashboard/forms/draft.ts'
import { OPTION_CONTROLS } from '../../../dashboard/forms/monitors/option-draft.ts'
import { ofKind, writeParts } from '../../../dashboard/forms/monitors/parts-draft.ts'

const SCHEMA = z.strictObject({
  door: z
    .discriminatedUnion('kind', [
      z.strictObject({
        kind: z.literal('key'),
        shape: z.string().max(9_000),
        turns: z.int().min(1).max(9).optional(),
      }),
      z.strictObject({ kind: z.literal('open') }),
    ])
    .nullable()
    .optional(),
})

describe('an object in a form', () => {
  const tls = OPTION_CONTROLS['options.tls'] as PartsControl & Control
  const door = controlsOf(SCHEMA, '').door as PartsControl & Control
  const hold = (control: Control, value: unknown) => draftOf({ at: control }, { at: value }).at ?? ''
  const read = (control: Control, held: string) => readDraft({ at: control }, { at: held }, ['at']).at
  const again = (control: Control, value: unknown) => read(control, String(hold(control, value)))

  it('has a field for each member, and one that is as it begins is not set', () => {
    assert.equal(tls.kind, 'parts')
    assert.equal(tls.chooser, null)
    assert.deepEqual(Object.keys(tls.kinds[0]?.controls ?? {}), [
      ...['verify', 'ca', 'client_certificate', 'client_key', 'server_name'],
    ])
    assert.equal(tls.kinds[0]?.controls.verify?.initial, true)
    for (const value of [{ verify: false }, { ca: 'PEM', server_name: 'a.example' }])
      assert.deepEqual(again(tls, value), value)
    for (const nothing of [null, { verify: true }, {}]) assert.equal(again(tls, nothing), null)
    assert.equal(read(tls, ''), null)
  })

  it('has the members of the kind that is chosen', () => {
    assert.deepEqual([door.chooser, door.kinds.map(({ name }) => name)], ['kind', ['key', 'open']])
    assert.equal(door.kinds[0]?.controls.shape?.kind, 'lines')
    const value = { kind: 'key', shape: 'oval', turns: 2 }
    assert.deepEqual(again(door, value), value)
    assert.deepEqual(read(door, writeParts(ofKind(door, 'open'))), { kind: 'open' })
    assert.equal(read(door, writeParts(ofKind(door, ''))), null)
    const { kind } = ofKind(door, 'key')
    assert.deepEqual(read(door, writeParts({ kind, typed: { turns: 'many' } })), {
      kind: 'key',
      turns: 'many',
    })
  })

  it('is compared by its members, without their values', () => {
    assert.equal(sayHeld(door, hold(door, { kind: 'key', shape: 'oval' })), 'key, shape')
    assert.equal(sayHeld(tls, ''), '–')
  })
})
