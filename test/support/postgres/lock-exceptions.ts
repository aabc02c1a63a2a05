/** A statement that `lockFindings` reports, and that is right all the same. `within`: the function that holds it. */
export type LockException = { file: string; within: string; why: string }

const LOCKED_BEFORE = 'the rows were locked before, in the order of their keys, in the same transaction'
const SKIPS =
  'waits for nobody: what is locked is skipped, and what changed since it looked is judged as it is by then'

export const LOCK_EXCEPTIONS: LockException[] = [
  // Claims: the row is judged anew by its own columns; what is read beside it only has to be true lately.
  {
    file: 'store/on-call/due-steps.ts',
    within: 'holdDueEscalation',
    why: `${SKIPS}; the steps of the escalation are read anew once it is held`,
  },
  {
    file: 'store/deleted-records.ts',
    within: 'relink',
    why: 'the subquery is the keys of the rows, which are given, as by unnest',
  },
  // Removals, which skip what is locked.
  {
    file: 'store/alerting/mailboxes.ts',
    within: 'removeSomeMailboxes',
    why: 'whatever leaves an alert to a mailbox has begun an hour of it before, which the row says itself',
  },
  {
    file: 'store/maintenance/past-occurrences.ts',
    within: 'removeSomeWindows',
    why: 'a window that was deleted gets no occurrence any more',
  },
  {
    file: 'store/history/retention.ts',
    within: 'TABLES',
    why: 'a later change of status makes the one before go, and is never taken back',
  },
  // Locks that only wait for a row that goes.
  {
    file: 'store/alerting/new-deliveries.ts',
    within: 'readRecipients',
    why: 'KEY SHARE waits for a deletion alone, which takes the contact out',
  },
  {
    file: 'store/on-call/due-steps.ts',
    within: 'readReachable',
    why: 'KEY SHARE waits for a deletion alone, which takes the contact out',
  },
  // One row, tried beside a rival.
  {
    file: 'store/servers/not-understood.ts',
    within: 'addNotUnderstood',
    why: 'one row: a token is that of one server, whose state is judged by its own columns',
  },
  {
    file: 'store/accounts/users.ts',
    within: 'lockMembership',
    why: 'locks one row of each table, and both are read as they are by then',
  },
  {
    file: 'store/sign-in/oauth-grants.ts',
    within: 'lockGrantOf',
    why: 'the token of a refresh token is looked up once, and never changes',
  },
  {
    file: 'store/sealing/reseal.ts',
    within: 'replace',
    why: 'joins parameters alone, whose old value the row must still have by then',
  },
  // Mailboxes and groups: the row of the mailbox is locked first.
  { file: 'store/alerting/groups.ts', within: 'deferToGroup', why: LOCKED_BEFORE },
  { file: 'store/alerting/mailboxes.ts', within: 'moveToMailbox', why: LOCKED_BEFORE },
  { file: 'store/alerting/mailboxes.ts', within: 'openDigest', why: LOCKED_BEFORE },
  { file: 'store/alerting/mailboxes.ts', within: 'makeDigest', why: LOCKED_BEFORE },
  { file: 'store/alerting/mailboxes.ts', within: 'sendSeparately', why: LOCKED_BEFORE },
  { file: 'store/alerting/mailboxes.ts', within: 'endTold', why: LOCKED_BEFORE },
  { file: 'store/alerting/mailboxes.ts', within: 'settlePart', why: LOCKED_BEFORE },
  { file: 'store/alerting/mailboxes.ts', within: 'settleDigest', why: LOCKED_BEFORE },
  { file: 'store/status-pages/notice-queue.ts', within: 'settleNotice', why: LOCKED_BEFORE },
  // States.
  { file: 'store/monitors/monitor-changes.ts', within: 'resetStates', why: LOCKED_BEFORE },
  { file: 'store/monitors/monitor-changes.ts', within: 'renewRevisions', why: LOCKED_BEFORE },
  { file: 'store/monitors/recording.ts', within: 'updateStates', why: LOCKED_BEFORE },
  { file: 'store/monitors/recording.ts', within: 'moveStates', why: LOCKED_BEFORE },
  { file: 'store/servers/recording.ts', within: 'updateServerStates', why: LOCKED_BEFORE },
  { file: 'store/sites/recording.ts', within: 'updateAreas', why: LOCKED_BEFORE },
  { file: 'store/sites/site-changes.ts', within: 'forgetSite', why: LOCKED_BEFORE },
  {
    file: 'store/monitors/failing-answers.ts',
    within: 'removeOldest',
    why: 'the states of the monitors are locked, and nothing else writes answers',
  },
  // Steps of one escalation: whoever changes them holds its incident, and reads them after that.
  ...[
    ['acknowledgements.ts', 'acknowledge'],
    ['acknowledgements.ts', 'withdraw'],
    ['due-steps.ts', 'bringStepForward'],
    ['due-steps.ts', 'restSteps'],
    ['new-escalations.ts', 'endSteps'],
    ['new-escalations.ts', 'endStepsQuietly'],
  ].map(([file, within]) => ({
    file: `store/on-call/${file}`,
    within: within as string,
    why: 'the incident is held, by one transaction at a time',
  })),
  // Memberships: their slots are locked first.
  { file: 'store/probing/slots.ts', within: 'endMemberships', why: LOCKED_BEFORE },
  { file: 'store/probing/memberships.ts', within: 'endAllMemberships', why: 'no other process can be there' },
  {
    file: 'store/probing/slots.ts',
    within: 'ensureSlotsOf',
    why: 'slots of regions without a prober, which nobody hands over',
  },
]
