import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { linkText, readLink } from '../../../src/core/on-call/acknowledgement.ts'
import { PolicySettings, policyRules } from '../../../src/core/on-call/policy.ts'
import { parseFields } from '../../../src/core/validation.ts'

const STEP = { after_minutes: 10, contact_ids: [1] }
const faultsOf = (changes: object) => {
  const parsed = parseFields(PolicySettings, { name: 'Primary', steps: [STEP], ...changes }, policyRules)
  return parsed.ok ? [] : Object.values(parsed.errors).flat()
}

describe('an escalation policy', () => {
  it('takes steps in order, and repeats them after the last', () => {
    assert.deepEqual(faultsOf({}), [])
    assert.deepEqual(faultsOf({ steps: [{ ...STEP, after_minutes: 0 }, STEP], repeats: 9 }), [])
    assert.deepEqual(faultsOf({ steps: [{ after_minutes: 1_440, schedule_id: 3 }] }), [])
  })

  it('says what is wrong with the others', () => {
    const tables: [changes: object, fault: RegExp][] = [
      [{ steps: [] }, /^steps must have at least 1 entry, got 0$/],
      [{ steps: Array(11).fill(STEP) }, /^steps must have at most 10 entries, got 11$/],
      [
        { steps: [{ after_minutes: 1 }] },
        /^steps\.0\.contact_ids must name a contact, unless the step has a schedule/,
      ],
      [
        { steps: [{ ...STEP, schedule_id: 1 }] },
        /^steps\.0\.schedule_id must be null where the step has contacts$/,
      ],
      [
        { steps: [STEP, STEP] },
        /^steps\.1\.after_minutes must be more than those of the step before \(10\), got 10$/,
      ],
      [{ steps: [{ ...STEP, after_minutes: 1_441 }] }, /after_minutes must be at most 1440/],
      [{ steps: [{ ...STEP, after_minutes: -1 }] }, /after_minutes must be at least 0/],
      [{ repeats: 10 }, /^repeats must be at most 9/],
      [
        { repeats: 1, repeat_every_minutes: 10 },
        /^repeat_every_minutes must be more than after_minutes of the last step \(10\), got 10$/,
      ],
    ]
    for (const [changes, fault] of tables) {
      const [first, ...more] = faultsOf(changes)
      assert.match(first ?? '', fault)
      assert.deepEqual(more, [])
    }
  })
})

describe('the text of a link that acknowledges', () => {
  it('names the kind, the incident and the contact, and is read back', () => {
    const link = { kind: 'server', incidentId: 812, contactId: 17 } as const
    const signature = '0123456789abcdef'.repeat(2)
    assert.equal(linkText(link), 's812-17')
    assert.deepEqual(readLink(`s812-17-${signature}`), { link, signature })
  })

  it('is none with another letter, a leading zero, a larger number or another signature', () => {
    const signature = '0'.repeat(32)
    for (const text of [
      ...[`x812-17-${signature}`, `m0812-17-${signature}`, `m812-99999999999-${signature}`],
      ...[
        `m812-17-${signature}0`,
        `m812-17-${signature.slice(1)}`,
        `m812-17-${'G'.repeat(32)}`,
        'm812-17',
        '',
      ],
      `m812-2147483648-${signature}`,
      `m9999999999999999-1-${signature}`,
    ]) {
      assert.equal(readLink(text), null, text)
    }
  })
})
