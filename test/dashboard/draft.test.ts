import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Controls, controlsOf } from '../../dashboard/forms/controls.ts'
import { draftOf, merge } from '../../dashboard/forms/draft.ts'
import { ContactConfigs, ContactCreate } from '../../src/core/alerting/contact.ts'

const { type: _type, config: _config, ...settings } = controlsOf(ContactCreate)
const CONTROLS: Controls = { ...settings, ...controlsOf(ContactConfigs.telegram, 'config.') }

const BEFORE = {
  name: 'Ops',
  'config.bot_token': 'old',
  'config.chat_id': '-1',
  notify_on_down: true,
  notify_on_recovery: true,
}
const draft = (changes: object = {}) => draftOf(CONTROLS, { ...BEFORE, ...changes })

describe('two people who edit the same', () => {
  const cases: [what: string, mine: object, theirs: object, saved: object, both: string[]][] = [
    [
      'keep what each changed',
      { name: 'Mine' },
      { notify_on_down: false },
      { name: 'Mine', notify_on_down: false },
      [],
    ],
    [
      'keep each half of a config, which is sent as a whole',
      { 'config.chat_id': '-2' },
      { 'config.bot_token': 'new' },
      { 'config.chat_id': '-2', 'config.bot_token': 'new' },
      [],
    ],
    ['agree where they changed the same alike', { name: 'New' }, { name: 'New' }, { name: 'New' }, []],
    ['are asked where they did not', { name: 'Mine' }, { name: 'Theirs' }, { name: 'Mine' }, ['name']],
    [
      'are asked about that alone',
      { name: 'Mine', notify_on_down: false },
      { name: 'Theirs', notify_on_recovery: false },
      { name: 'Mine', notify_on_down: false, notify_on_recovery: false },
      ['name'],
    ],
    ['are not asked of what one of them took back', {}, { name: 'Theirs' }, { name: 'Theirs' }, []],
  ]
  for (const [what, mine, theirs, saved, both] of cases) {
    it(what, () => {
      const merged = merge(CONTROLS, { before: draft(), mine: draft(mine), theirs: draft(theirs) })
      assert.deepEqual(merged.draft, draft(saved))
      assert.deepEqual(merged.both, both)
    })
  }
})
