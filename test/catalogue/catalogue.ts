import { bodies } from './bodies.ts'
import { brokers } from './brokers.ts'
import { browser } from './browser.ts'
import type { Group } from './case.ts'
import { certificates } from './certificates.ts'
import { connections } from './connections.ts'
import { containers } from './containers.ts'
import { databases } from './databases.ts'
import { lines } from './lines.ts'
import { nameServers } from './name-servers.ts'
import { names } from './names.ts'
import { protocols } from './protocols.ts'
import { redirects } from './redirects.ts'
import { registrations } from './registrations.ts'
import { statuses } from './statuses.ts'
import { steps } from './steps.ts'
import { ways } from './ways.ts'
import { webSockets } from './web-sockets.ts'

/** Every failure that is provoked with a server of its own. */
export const CATALOGUE: Group[] = [
  names,
  nameServers,
  webSockets,
  connections,
  certificates,
  statuses,
  bodies,
  redirects,
  steps,
  browser,
  ways,
  lines,
  registrations,
  protocols,
  databases,
  brokers,
  containers,
]

/** Trouble of this machine: what a check says of it, and the test that provokes it. */
export const OWN_TROUBLE: { trouble: string; outcome: string; test: string }[] = [
  {
    trouble: 'The process stood still (a suspended machine, a starved container) while a check was under way',
    outcome: 'the limit ends later by as much, at most by itself; then the check is judged',
    test: 'test/probes/stopped.test.ts',
  },
  {
    trouble: 'The same, and the answer had come meanwhile',
    outcome: 'judged by the answer',
    test: 'test/service/processes/standstill.ts',
  },
  {
    trouble:
      'The same for 2 s or longer (of a shorter limit: for the limit), and the connection is lost right after it',
    outcome: '`pending`: this machine was too busy to judge',
    test: 'test/probes/stopped.test.ts',
  },
  {
    trouble: 'The process stood still before a greeting, the answer of a port or a packet',
    outcome: 'the same as for a website in each of these cases',
    test: 'test/probes/stopped.test.ts',
  },
  {
    trouble: 'The process is late all the time, and a target is silent for its whole limit',
    outcome: '`down`, at twice the limit at the latest',
    test: 'test/probes/stalls.test.ts',
  },
  {
    trouble: 'The process is so late that a target which answers has not come to an end at twice the limit',
    outcome: '`pending`: this machine was too busy to judge',
    test: 'test/probes/stalls.test.ts',
  },
  {
    trouble: 'No file descriptor is left',
    outcome: '`pending`: out of file descriptors',
    test: 'test/catalogue/own-trouble.test.ts',
  },
  {
    trouble:
      'A descriptor, a buffer or memory is missing in the middle of a handshake, an answer or its body',
    outcome: '`pending`, with the reason',
    test: 'test/probes/own-trouble-midway.test.ts',
  },
  {
    trouble:
      'The same, or our network goes away, in the middle of a talk with a mail, SSH or FTP server or a port, or before a packet is answered',
    outcome: '`pending`, with the reason',
    test: 'test/probes/protocols/own-trouble.test.ts',
  },
  {
    trouble: 'The limit of descriptors is set below what is open',
    outcome: 'the same; the service stays, and goes on once there are some',
    test: 'test/programs/prlimit.test.ts',
  },
  {
    trouble: 'No local port is left',
    outcome: '`pending`: no local port left',
    test: 'test/programs/unshare.test.ts',
  },
  {
    trouble: 'This machine has no address of the family of all addresses of a target (IPv6 is off)',
    outcome: '`pending`: no local address',
    test: 'test/programs/unshare.test.ts',
  },
  {
    trouble: 'There is no network at all',
    outcome: '`pending`: no network here',
    test: 'test/catalogue/own-trouble.test.ts',
  },
  {
    trouble: 'Our name servers are gone',
    outcome: '`pending`: no name server of ours answers',
    test: 'test/catalogue/own-trouble.test.ts',
  },
  {
    trouble:
      'A target on a public network fails without an answer, and nothing on another one that was reached lately is reached after it',
    outcome:
      '`pending`: our network seems to be down; one line in the log when it begins and one when it ends',
    test: 'test/engine/evidence/evidence.test.ts',
  },
  {
    trouble: 'A target is silent, and in the same time others on unrelated networks were silent or late, too',
    outcome:
      '`pending`: our network seems to have been down for a moment; it is judged by the next attempt, at once',
    test: 'test/engine/evidence/evidence.test.ts',
  },
  {
    trouble: 'The same as when our network is down, where several threads see a part of these networks each',
    outcome: 'the same, with one line for all of them',
    test: 'test/engine/evidence/peer-evidence.test.ts',
  },
  {
    trouble:
      'A public name is not found, and no public name of another domain that was found lately is found after it',
    outcome:
      '`pending`: our name servers seem to be down; one line in the log when it begins and one when it ends',
    test: 'test/engine/evidence/evidence.test.ts',
  },
  {
    trouble:
      'This machine has no route to a target (a router on the way that has none is `down`: no route to it)',
    outcome: '`pending`: no network here',
    test: 'test/programs/nft.test.ts',
  },
  {
    trouble:
      'The same, and targets on this machine, on private networks or of the other address family answer',
    outcome: 'the same, for as long as it lasts',
    test: 'test/engine/evidence/evidence.test.ts',
  },
  {
    trouble: 'Our name servers answer for internal names only',
    outcome: '`pending` for all public names',
    test: 'test/engine/evidence/evidence.test.ts',
  },
  {
    trouble: 'Our name servers say that no name exists (NXDOMAIN), and say so of the root',
    outcome: '`pending`: our name servers seem to be down',
    test: 'test/net/name-servers.test.ts',
  },
  {
    trouble:
      'There is no way to one target for longer than two intervals and two time-outs, while others answer over the same path',
    outcome: '`down`: no route to it, or the name server failed for it',
    test: 'test/engine/evidence/evidence.test.ts',
  },
  {
    trouble: 'The database stands still or is killed',
    outcome: 'checks wait to be recorded; none is lost or doubled',
    test: 'test/service/processes/database.ts',
  },
  {
    trouble: 'A ping came in time, but this process or its database was too slow to write it',
    outcome: 'the job is not late',
    test: 'test/service/processes/database.ts',
  },
  {
    trouble: 'No process can be reached by jobs (fewer than 32 descriptors left to accept their pings with)',
    outcome: 'silence is not judged, and the deadlines of jobs that were not heard move by as much',
    test: 'test/service/processes/descriptors.ts',
  },
  {
    trouble: 'The clock of this machine is set',
    outcome: "nothing: the database's clock rules, which this machine's monotonic one follows",
    test: 'test/long/services/clock.test.ts',
  },
]

/** The tables of docs/failures.md, between its first heading of a group and its end. */
export function renderCatalogue(): string {
  const groups = CATALOGUE.map(({ title, cases }) => {
    const rows = cases.map(({ name, type, status, cause, atLimit }) =>
      row([
        name,
        type,
        `\`${status}\``,
        cause === null ? '–' : `\`${cause}\``,
        atLimit ? 'at the limit' : 'at once',
      ]),
    )
    return [
      `## ${title}`,
      '',
      row(['Case', 'Type', 'Verdict', 'Cause', 'When']),
      row(Array(5).fill('---')),
      ...rows,
    ]
  })
  const own = OWN_TROUBLE.map(({ trouble, outcome, test }) => row([trouble, outcome, `\`${test}\``]))
  const trouble = [
    '## Our own trouble',
    '',
    row(['Trouble', 'Outcome', 'Provoked in']),
    row(Array(3).fill('---')),
    ...own,
  ]
  return [...groups, trouble].map((lines) => lines.join('\n')).join('\n\n')
}

function row(cells: string[]): string {
  return `| ${cells.join(' | ')} |`
}
