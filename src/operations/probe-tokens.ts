import { Refusal } from '../core/errors.ts'
import { formatInstant, formatInstantOrNull } from '../core/instant.ts'
import { ProbeTokenCreate } from '../core/remote-probe.ts'
import { parseFields } from '../core/validation.ts'
import { insertProbeToken, listProbeTokens, revokeProbeToken } from '../store/remote-probers.ts'
import { parseOrRefuse } from './refusal.ts'
import type { Services } from './services.ts'
import { endingOf, generateToken, hashToken } from './tokens.ts'

export const PROBE_TOKEN_PREFIX = 'upbp_'

/** The token itself is in this answer and nowhere else: only its hash is stored. */
export async function createProbe(
  { db, now }: Pick<Services, 'db' | 'now'>,
  input: { region: string; name: string; expires?: string | null | undefined },
) {
  const { region, name, expires } = parseOrRefuse(parseFields(ProbeTokenCreate, input))
  if (expires !== null && expires <= now()) {
    throw Refusal.invalid({ expires: [`expires must be a time to come, got ${formatInstant(expires)}`] })
  }
  const token = generateToken(PROBE_TOKEN_PREFIX)
  const { id, createdAt } = await insertProbeToken(db.query, {
    region,
    name,
    tokenHash: hashToken(token),
    ending: endingOf(token),
    expiresAt: expires,
  })
  return {
    id,
    region,
    name,
    token,
    created_at: formatInstant(createdAt),
    expires_at: formatInstantOrNull(expires),
  }
}

export async function listProbes({ db }: Pick<Services, 'db'>) {
  const rows = await listProbeTokens(db.query)
  return rows.map((row) => ({
    id: row.id,
    region: row.region,
    name: row.name,
    ending: row.ending,
    /** How many processes probe by it now. */
    probing: row.probing ?? 0,
    created_at: formatInstant(row.created_at),
    last_used_at: formatInstantOrNull(row.last_used_at),
    expires_at: formatInstantOrNull(row.expires_at),
    revoked_at: formatInstantOrNull(row.revoked_at),
  }))
}

export async function revokeProbe({ db }: Services, id: number) {
  if (await revokeProbeToken(db, id)) return { id }
  throw new Refusal('notFound', { detail: `there is no valid token ${id} of a probe` })
}
