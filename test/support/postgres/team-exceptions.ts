/** A statement that takes a row of a team by its id alone, and is right all the same. `within`: the function that holds it. */
export type TeamException = { file: string; within: string; why: string }

const CLAIMED = 'the row is claimed by this process, which the statement asks for'
const OF_ALL_TEAMS =
  'a process checks and records for all teams at once: the ids are of its own slots, or of rows it has read'
const HELD = 'the rows were found by their team, or locked, before in the same transaction'

function within(file: string, why: string, ...functions: string[]): TeamException[] {
  return functions.map((name) => ({ file: `store/${file}`, within: name, why }))
}

export const TEAM_EXCEPTIONS: TeamException[] = [
  ...within('alerting/groups.ts', CLAIMED, 'deferToGroup', 'putOffWithGroup'),
  ...within('alerting/mailboxes.ts', CLAIMED, 'deferToDigest', 'openDigest'),
  ...within(
    'alerting/mailboxes.ts',
    'a digest has alerts of all teams to one address',
    'sendSeparately',
    'settlePart',
  ),
  ...within('alerting/quiet-hours.ts', CLAIMED, 'dropUntold'),
  ...within('probing/trials.ts', CLAIMED, 'createTrialClaims'),
  ...within('incidents/recording.ts', OF_ALL_TEAMS, 'resolveIncident'),
  ...within('on-call/due-steps.ts', OF_ALL_TEAMS, 'holdDueEscalation'),
  ...within('probing/memberships.ts', OF_ALL_TEAMS, 'handOver'),
  ...within('probing/remote-confirmations.ts', OF_ALL_TEAMS, 'readKnownBy'),
  ...within('probing/remote-probes.ts', OF_ALL_TEAMS, 'monitorsHeldBy'),
  ...within('probing/schedule.ts', OF_ALL_TEAMS, 'requestChecks'),
  ...within('sites/crawls.ts', OF_ALL_TEAMS, 'openCrawl'),
  ...within('sites/recording.ts', OF_ALL_TEAMS, 'holdSites'),
  ...within('monitors/monitor-changes.ts', HELD, 'renewRevisions'),
  ...within('history/watched-time.ts', HELD, 'CHECK_RUNS', 'readWatchedMonitors'),
  ...within('servers/watched-time.ts', HELD, 'readWatchedServers'),
  ...within('sites/watched-time.ts', HELD, 'readWatchedSites'),
  ...within('monitors/monitor-changes.ts', HELD, 'lockDeletedMonitor'),
  ...within('status-pages/page-secrets.ts', 'a page is shown to visitors, who name no team', 'readLogo'),
  ...within(
    'status-pages/served-pages.ts',
    'a page is shown to visitors, who name no team',
    'readServedPages',
  ),
  ...within('stored-kinds.ts', 'a part of statements that join it to a row of the team', 'STORED_KINDS'),
]
