import assert from 'node:assert/strict'
import { it } from 'node:test'
import { OPERATIONS, OTHERS } from '../../../dashboard/data/audit-words.ts'
import { AUDIT_PATTERNS } from '../../../src/core/teams/audit-kind.ts'

/** The operations that are about the team itself. */
const OF_THE_TEAM = [
  'changeTags',
  'createTeam',
  'hideFirstSteps',
  'readExport',
  'restoreRecord',
  'setPlan',
  'updateServiceSettings',
  'updateTeam',
  'updateTeamConfirmation',
  'updateTeamLanguage',
]

it('each line of the audit log is of one kind', () => {
  const kindsOf = (action: string) =>
    Object.entries(AUDIT_PATTERNS).flatMap(([kind, pattern]) =>
      new RegExp(pattern).test(action) ? [kind] : [],
    )
  const actions = Object.keys({ ...OPERATIONS, ...OTHERS }).sort()
  assert.deepEqual(
    actions.filter((action) => kindsOf(action).length > 1).map((action) => [action, ...kindsOf(action)]),
    [],
  )
  assert.deepEqual(
    actions.filter((action) => kindsOf(action).length === 0),
    OF_THE_TEAM,
  )
})
