import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SUBJECT_KINDS } from '../../../src/core/maintenance/window.ts'
import { CheckStatus } from '../../../src/core/monitors/check.ts'
import { stateOfSubject } from '../../../src/core/status-pages/component-state.ts'

test('a component has the state of its subject, and only the warnings of sites are public', () => {
  const always = { up: 'operational', down: 'major_outage', pending: 'unknown', maintenance: 'maintenance' }
  const facts = { isActive: true, inWindow: false }
  for (const kind of SUBJECT_KINDS) {
    const expected = { ...always, degraded: kind === 'site' ? 'degraded' : 'operational' }
    for (const status of CheckStatus.options) {
      const state = (changes: object) => stateOfSubject({ kind, status, ...facts, ...changes })
      assert.equal(state({}), expected[status], `${kind} ${status}`)
      assert.equal(state({ inWindow: true, isActive: false }), 'maintenance')
      assert.equal(state({ isActive: false }), 'unknown')
      const muted = status === 'maintenance' ? 'major_outage' : expected[status]
      assert.equal(state({ isMuted: true }), muted, 'a window that pages do not show changes nothing there')
    }
  }
})
