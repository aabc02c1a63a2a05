import { readServerState } from '../postgres/database.ts'
import type { ExternalCluster } from '../postgres/embedded/external-cluster.ts'
import { openAnySigningSecret } from '../store/teams/teams.ts'
import type { Services } from './services.ts'

/** With fewer left, the next process may not get the connections it needs. */
const MIN_FREE_CONNECTIONS = 10

/** One part of the installation and what an operator should know about it. */
export type Diagnosis = { part: string; state: 'working' | 'limited' | 'failing'; detail: string }

/** The state of this machine and process; injected, because operations do not probe. */
export type SystemState = {
  nodeVersion: string
  icmp: { v4: string; v6: string; reason: string | null }
  mailConfigured: boolean
  /** Databases on this machine outside their data directories, now and before this command touched them. */
  externalClusters: ExternalCluster[]
  externalClustersBefore: ExternalCluster[]
}

/**
 * Checks every part of an installation that can be wrong. Without services, reports why the database cannot be used.
 */
export async function diagnose(
  services: Services | { refusal: string },
  system: SystemState,
): Promise<Diagnosis[]> {
  const stored: Diagnosis[] =
    'refusal' in services
      ? [{ part: 'database', state: 'failing', detail: services.refusal }]
      : [await database(services), await secretKey(services)]
  return [
    working('runtime', `Node ${system.nodeVersion}`),
    ...stored,
    ...movedDirectories(system.externalClustersBefore, system.externalClusters),
    ...orphanedDatabases(system.externalClusters),
    icmp(system.icmp),
    mail('refusal' in services ? null : services, system.mailConfigured),
  ]
}

function mail(services: Services | null, isInEnvironment: boolean): Diagnosis {
  if (isInEnvironment) return working('mail', 'SMTP_URL is set')
  if (services?.hasMail) return working('mail', 'the mail server is set in the dashboard')
  const isUnreadable = services?.settings.saved().isMailUnreadable === true
  const detail = isUnreadable
    ? 'no key opens the mail server that was saved in the dashboard: save it again, or set SECRET_KEY_PREVIOUS'
    : 'alerts by e-mail fail until a mail server is set: in the dashboard, under Service settings, or by SMTP_URL'
  return { part: 'mail', state: 'limited', detail }
}

async function database({ db }: Services): Promise<Diagnosis> {
  const { version, schema, encrypted, connections, maxConnections } = await readServerState(db)
  const { host } = db.connection
  const place = host.startsWith('/') ? '' : ` on ${host}, ${encrypted ? 'with' : 'without'} TLS`
  const detail = `PostgreSQL ${version}${place}, schema ${schema}, ${connections} of ${maxConnections} connections used`
  if (maxConnections - connections >= MIN_FREE_CONNECTIONS) return working('database', detail)
  return {
    part: 'database',
    state: 'limited',
    detail: `${detail}: raise max_connections, or lower DATABASE_CONNECTIONS`,
  }
}

/** Opens one stored secret, so that a wrong key is noticed here and not at the first alert. */
async function secretKey({ db, vault }: Services): Promise<Diagnosis> {
  try {
    const stored = await openAnySigningSecret(db.query, vault)
    return working('secret key', stored ? 'opens what is stored' : 'nothing is stored yet')
  } catch (error) {
    return { part: 'secret key', state: 'failing', detail: (error as Error).message }
  }
}

function movedDirectories(before: ExternalCluster[], now: ExternalCluster[]): Diagnosis[] {
  const was = new Map(before.map(({ directory, dataDir }) => [directory, dataDir]))
  return now.flatMap(({ directory, dataDir }) => {
    const former = was.get(directory)
    if (!former || former === dataDir) return []
    return [
      working(
        'data directory',
        `was ${former} and is ${dataDir} now; its database in ${directory} goes with it`,
      ),
    ]
  })
}

function orphanedDatabases(externalClusters: ExternalCluster[]): Diagnosis[] {
  return externalClusters
    .filter(({ isOrphan }) => isOrphan)
    .map(({ directory, dataDir }) => ({
      part: 'left database',
      state: 'limited',
      detail:
        `${directory} belongs to ${dataDir}, which is gone. Where that has moved to, start its service once, or run ` +
        `upbeat doctor --take-over there; what nobody needs any more, upbeat doctor --remove ${directory} deletes`,
    }))
}

function icmp({ v4, v6, reason }: SystemState['icmp']): Diagnosis {
  const detail = `IPv4 ${v4}, IPv6 ${v6}${reason ? `. ${reason}` : ''}`
  return { part: 'icmp', state: v4 === 'none' ? 'limited' : 'working', detail }
}

function working(part: string, detail: string): Diagnosis {
  return { part, state: 'working', detail }
}
