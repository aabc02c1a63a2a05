import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { OTHERS } from '../../../dashboard/data/audit-words.ts'
import { allOperations } from '../../../src/contract/contract.ts'
import type { Operation } from '../../../src/contract/operation.ts'
import { isAudited } from '../../../src/operations/teams/audit-trail.ts'
import { ABOUT_CONTACTS, ABOUT_PEOPLE } from '../../../src/store/accounts/accounts.ts'

/** An invitation is about an address, which is forgotten wherever it stands. */
type Subject = 'a person' | 'a contact' | 'an address' | 'a thing'

/** The names in audit lines, by the first part of the operation's path. */
const OF_OPERATIONS: Record<string, Subject> = {
  monitors: 'a thing',
  'monitor-rows': 'a thing',
  'monitor-trials': 'a thing',
  'deleted-monitors': 'a thing',
  'deleted-records': 'a contact',
  'first-steps': 'a thing',
  'deleted-servers': 'a thing',
  'deleted-sites': 'a thing',
  'notification-contacts': 'a contact',
  team: 'a thing',
  members: 'a person',
  invitations: 'an address',
  'api-tokens': 'a thing',
  'maintenance-windows': 'a thing',
  'maintenance-calendar': 'a thing',
  'status-pages': 'a thing',
  'status-posts': 'a thing',
  'status-updates': 'a thing',
  'status-templates': 'a thing',
  'status-subscribers': 'a thing',
  reports: 'a thing',
  'report-recipients': 'a thing',
  servers: 'a thing',
  sites: 'a thing',
  'site-findings': 'a thing',
  tags: 'a thing',
  schedules: 'a thing',
  'schedule-overrides': 'a thing',
  incidents: 'a thing',
  'server-incidents': 'a thing',
  'site-incidents': 'a thing',
  'on-call-settings': 'a thing',
  'escalation-policies': 'a thing',
  drills: 'a thing',
  exports: 'a thing',
}

/** The same of actions that no operation does. */
const OF_OTHERS: Record<keyof typeof OTHERS, Subject> = {
  createTeam: 'a thing',
  setPlan: 'a thing',
  addMember: 'a person',
  disableAccount: 'a person',
  enableAccount: 'a person',
  deleteAccount: 'a person',
  updateServiceSettings: 'a thing',
  nameOperator: 'a person',
  endOperator: 'a person',
  acceptInvitation: 'an address',
  connectProgram: 'a thing',
  disconnectProgram: 'a thing',
  endStolenConnection: 'a thing',
  joinByInvitation: 'an address',
}

describe('audit lines that name people', () => {
  const audited = Object.entries<Operation>(allOperations).filter(([, operation]) => isAudited(operation))
  const subjectOf = ({ path }: Operation) => OF_OPERATIONS[path.split('/')[1] ?? '']

  it('are known by what each audited operation is about', () => {
    const unknown = audited.filter(([, operation]) => subjectOf(operation) === undefined)
    assert.deepEqual(
      unknown.map(([id]) => id),
      [],
      'say what its audit lines name: a person or a contact has to be forgotten with the account',
    )
  })

  for (const [subject, forgotten] of [
    ['a person', ABOUT_PEOPLE],
    ['a contact', ABOUT_CONTACTS],
  ] as const) {
    it(`lose the name of ${subject} with the account`, () => {
      const operations = audited.filter(([, operation]) => subjectOf(operation) === subject)
      const others = Object.entries(OF_OTHERS).filter(([, of]) => of === subject)
      assert.deepEqual([...operations, ...others].map(([action]) => action).sort(), [...forgotten].sort())
    })
  }
})
