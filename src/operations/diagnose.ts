import { readVersions } from '../store/database.ts'
import { openAnySigningSecret } from '../store/teams.ts'
import type { Services } from './services.ts'

/** One part of the installation, and what an operator should know of it. */
export type Diagnosis = { part: string; state: 'working' | 'limited' | 'failing'; detail: string }

/** What the probes of this process may do; injected, because operations do not probe. */
export type Surroundings = {
  nodeVersion: string
  icmp: { v4: string; v6: string; reason: string | null }
  mailConfigured: boolean
}

/** Looks at every part that can be wrong in an installation. */
export async function diagnose(services: Services, surroundings: Surroundings): Promise<Diagnosis[]> {
  return [
    working('runtime', `Node ${surroundings.nodeVersion}`),
    await database(services),
    await secretKey(services),
    icmp(surroundings.icmp),
    surroundings.mailConfigured
      ? working('mail', 'SMTP_URL is set')
      : { part: 'mail', state: 'limited', detail: 'alerts by e-mail fail until SMTP_URL is set' },
  ]
}

async function database({ db }: Services): Promise<Diagnosis> {
  const { server, schema } = await readVersions(db)
  return working('database', `PostgreSQL ${server}, schema ${schema}`)
}

/** Opens one stored secret: a wrong key is noticed here and not at the first alert. */
async function secretKey({ db, vault }: Services): Promise<Diagnosis> {
  try {
    const stored = await openAnySigningSecret(db.query, vault)
    return working('secret key', stored ? 'opens what is stored' : 'nothing is stored yet')
  } catch (error) {
    return { part: 'secret key', state: 'failing', detail: (error as Error).message }
  }
}

function icmp({ v4, v6, reason }: Surroundings['icmp']): Diagnosis {
  const detail = `IPv4 ${v4}, IPv6 ${v6}${reason ? `. ${reason}` : ''}`
  return { part: 'icmp', state: v4 === 'none' ? 'limited' : 'working', detail }
}

function working(part: string, detail: string): Diagnosis {
  return { part, state: 'working', detail }
}
