import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AlertedContact, describeAlerted } from '../../../src/core/alerting/alerted.ts'

const contact = (name: string, changes: Partial<AlertedContact> = {}): AlertedContact => ({
  id: name.length,
  name,
  type: 'slack',
  attached: false,
  notifyOnDown: true,
  notifyOnRecovery: true,
  awaitsAgreement: false,
  ...changes,
})
const MAIL = { type: 'email' } as const
const ALL = 'every contact of the team, because it has none of its own'

const CASES: [contacts: AlertedContact[], hasMail: boolean, said: string][] = [
  [
    [],
    true,
    'No one is alerted when it goes down: the team has no contacts. Create one with create-notification-contact.',
  ],
  [[contact('Ops')], false, `When it goes down, this alerts ${ALL}: Ops (slack).`],
  [[contact('Ada', MAIL)], true, `When it goes down, this alerts ${ALL}: Ada (email).`],
  [
    [contact('Ada', MAIL)],
    false,
    'No one is alerted when it goes down. E-mail is not set up on this service, so Ada (email) cannot be reached until its operator sets up mail.',
  ],
  [
    [contact('Ada', { ...MAIL, attached: true }), contact('Ops', { attached: true }), contact('Eve')],
    false,
    'When it goes down, this alerts its contacts: Ops (slack). E-mail is not set up on this service, so Ada (email) cannot be reached until its operator sets up mail.',
  ],
  [
    [contact('Ada', { ...MAIL, awaitsAgreement: true })],
    true,
    'No one is alerted when it goes down. Not confirmed yet: Ada (email), by the link that was mailed.',
  ],
  [
    [contact('Ops', { attached: true, notifyOnDown: false }), contact('Eve')],
    true,
    'No one is alerted when it goes down: its contacts want no such alerts.',
  ],
  [
    ['A', 'B', 'C', 'D', 'E', 'F', 'G'].map((name) => contact(name)),
    true,
    `When it goes down, this alerts ${ALL}: A (slack), B (slack), C (slack), D (slack), E (slack) and 2 more.`,
  ],
]

test('a program that creates a monitor is told who is alerted, and when that is no one, why', () => {
  for (const [contacts, hasMail, said] of CASES) assert.equal(describeAlerted(contacts, hasMail), said)
})
