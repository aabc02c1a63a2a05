import type { Contract, OperationId } from '../../src/contract/contract.ts'
import type { Door } from '../../src/core/teams/audit.ts'

type IsWritten<Entry> = Entry extends { audited: true }
  ? true
  : Entry extends { access: 'read' } | { method: 'GET' }
    ? false
    : true

/** The operations that leave an entry: all that change something. */
type WrittenId = { [Id in OperationId]: IsWritten<Contract[Id]> extends true ? Id : never }[OperationId]

/** What an entry says its actor did, with what is named after it. None is forgotten: the compiler sees to it. */
const OPERATIONS = {
  createMonitor: 'created the monitor',
  updateMonitor: 'changed the monitor',
  replaceMonitor: 'changed the monitor',
  deleteMonitor: 'deleted the monitor',
  toggleMonitor: 'paused or resumed the monitor',
  changeMonitors: 'changed several monitors',
  checkMonitorNow: 'asked for a check of the monitor',
  restoreMonitor: 'brought back the monitor',
  createContact: 'added the contact',
  updateContact: 'changed the contact',
  replaceContact: 'changed the contact',
  deleteContact: 'removed the contact',
  testContact: 'sent a test alert to the contact',
  askContact: 'asked for the agreement of the contact',
  updateTeam: 'changed the team',
  updateTeamConfirmation: 'changed how failures are confirmed',
  leaveTeam: 'left the team',
  showSigningSecret: 'looked at the signing secret',
  rotateSigningSecret: 'replaced the signing secret',
  updateMember: 'changed the role of',
  removeMember: 'removed the member',
  createInvitation: 'invited',
  revokeInvitation: 'took back the invitation of',
  createApiToken: 'created the API token',
  revokeApiToken: 'revoked the API token',
} as const satisfies Record<WrittenId | 'leaveTeam' | 'showSigningSecret', string>

/** What has no entry in the contract: done by cookie, or at the command line. */
const OTHERS = {
  createTeam: 'created the team',
  setPlan: 'changed the plan',
  addMember: 'added the member',
  disableAccount: 'disabled the account of',
  enableAccount: 'enabled the account of',
  deleteAccount: 'deleted the account of',
  nameOperator: 'named an operator of the service:',
  endOperator: 'made no operator of the service any more:',
  acceptInvitation: 'accepted the invitation of',
  connectProgram: 'let in the program',
  disconnectProgram: 'was left by the program',
  endStolenConnection: 'lost, because a key that was used up came again, the program',
  joinByInvitation: 'made an account by the invitation of',
} as const

const ACTIONS: Record<string, string> = { ...OPERATIONS, ...OTHERS }

/** An action of a later version than this page is named as it is. */
export function sayAction(action: string): string {
  return ACTIONS[action] ?? action
}

const DOORS = {
  dashboard: 'Dashboard',
  api: 'API',
  mcp: 'AI assistant',
  cli: 'Command line',
} as const satisfies Record<Door, string>

export function sayDoor(door: Door): string {
  return DOORS[door]
}
