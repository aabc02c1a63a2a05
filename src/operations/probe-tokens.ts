import { Refusal } from '../core/errors.ts'
import { formatInstant, formatInstantOrNull } from '../core/instant.ts'
import { ProbeTokenCreate } from '../core/remote-probe.ts'
import { parseFields } from '../core/validation.ts'
import { insertProbeToken, listProbeTokens, revokeProbeToken } from '../store/remote-probers.ts'
import type { Services } from './services.ts'
import { endingOf, generateToken, hashToken } from './tokens.ts'

export const PROBE_TOKEN_PREFIX = 'upbp_'

/** The token itself is in this answer and nowhere else: only its hash is stored. */
export async function createProbe({ db }: Services, input: { region: string; name: string }) {
  const parsed = parseFields(ProbeTokenCreate, input)
  if (!parsed.ok) throw Refusal.invalid(parsed.errors)
  const { region, name } = parsed.value
  const token = generateToken(PROBE_TOKEN_PREFIX)
  const { id, createdAt } = await insertProbeToken(db.query, {
    region,
    name,
    tokenHash: hashToken(token),
    ending: endingOf(token),
  })
  return { id, region, name, token, created_at: formatInstant(createdAt) }
}

export async function listProbes({ db }: Services) {
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
    revoked_at: formatInstantOrNull(row.revoked_at),
  }))
}

export async function revokeProbe({ db }: Services, id: number) {
  if (await revokeProbeToken(db, id)) return { id }
  throw new Refusal('notFound', { detail: `there is no valid token ${id} of a probe` })
}
