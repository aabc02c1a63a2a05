import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MAX_NOTES_LENGTH, MonitorNotes, notesInAlerts } from '../../../src/core/monitors/notes.ts'
import { parseFields } from '../../../src/core/validation.ts'

const parse = (sent: object) => parseFields(MonitorNotes, sent)

describe('the notes of a monitor', () => {
  it('are empty unless they are sent, and blank ones are none', () => {
    const none = { ok: true, value: { runbook_url: null, notes: null } }
    assert.deepEqual(parse({}), none)
    assert.deepEqual(parse({ runbook_url: '', notes: ' \n ' }), none)
    assert.deepEqual(parse({ runbook_url: null, notes: null }), none)
  })

  it('take a link of http or https without credentials, and nothing a browser would run', () => {
    for (const url of ['https://wiki.example.com/a?b=c#d', 'http://10.0.0.1:8080/', 'HTTPS://[::1]/x']) {
      assert.ok(parse({ runbook_url: url }).ok, url)
    }
    const refused = [
      'javascript:alert(1)',
      'ftp://wiki.example.com',
      'wiki.example.com/shop',
      'https://',
      'https://ada:secret@wiki.example.com',
      'https://wiki.example.com/a b',
      `https://wiki.example.com/${'x'.repeat(500)}`,
    ]
    for (const url of refused) {
      const parsed = parse({ runbook_url: url })
      assert.deepEqual(parsed.ok ? url : Object.keys(parsed.errors), ['runbook_url'])
    }
  })

  it('are bounded', () => {
    assert.ok(parse({ notes: 'x'.repeat(MAX_NOTES_LENGTH) }).ok)
    assert.ok(!parse({ notes: 'x'.repeat(MAX_NOTES_LENGTH + 1) }).ok)
  })

  it('give alerts their first three lines, on one', () => {
    assert.equal(
      notesInAlerts('Call Ada.\r\n\r\n  Restart it.\nThen wait.\nNever this.'),
      'Call Ada. · Restart it. · Then wait.',
    )
    assert.equal(notesInAlerts('x'.repeat(900)).length, 300)
  })
})
