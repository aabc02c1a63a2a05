import { Refusal } from '../../core/errors.ts'
import { formatInstant, formatInstantOrNull } from '../../core/instant.ts'
import { inWords } from '../../core/language/said.ts'
import { ProbeTokenCreate } from '../../core/probing/remote-probe.ts'
import { parseFields } from '../../core/validation.ts'
import type { Query } from '../../postgres/database.ts'
import { insertProbeToken, listProbeTokens, revokeProbeToken } from '../../store/probing/remote-probes.ts'
import {
  isRegionInUse,
  knownTeams,
  lockReservedRegions,
  readReservedRegions,
  reserveRegion,
} from '../../store/probing/reserved-regions.ts'
import { hashToken } from '../../store/teams/tokens.ts'
import { parseOrRefuse } from '../refusal.ts'
import type { Services } from '../services.ts'
import { endingOf, generateToken } from '../teams/tokens.ts'

export const PROBE_TOKEN_PREFIX = 'upbp_'

/** The token itself is in this answer and nowhere else: only its hash is stored. */
export async function createRemoteProbe(
  { db, now }: Pick<Services, 'db' | 'now'>,
  input: { region: string; name: string; expires?: string | null | undefined; teams?: number[] | undefined },
) {
  const { region, name, expires, teams: named } = parseOrRefuse(parseFields(ProbeTokenCreate, input))
  if (expires !== null && expires <= now()) {
    throw Refusal.invalid({
      expires: [inWords(`expires must be a time to come, got ${formatInstant(expires)}`)],
    })
  }
  const token = generateToken(PROBE_TOKEN_PREFIX)
  const teams = [...new Set(named)].sort((a, b) => a - b)
  const { id, createdAt } = await db.query.transaction().execute(async (query) => {
    await bindRegion(query, region, teams)
    return insertProbeToken(query, {
      region,
      name,
      tokenHash: hashToken(token),
      ending: endingOf(token),
      expiresAt: expires,
    })
  })
  return {
    id,
    region,
    name,
    teams: teams.length > 0 ? teams : null,
    token,
    created_at: formatInstant(createdAt),
    expires_at: formatInstantOrNull(expires),
  }
}

/**
 * The first token that is bound to teams reserves its region for them; all others of the region need the same teams.
 */
async function bindRegion(query: Query, region: string, teams: number[]): Promise<void> {
  await lockReservedRegions(query)
  const bound = (await readReservedRegions(query)).get(region)
  if (bound) {
    if (bound.join() === teams.join()) return
    const got = teams.length > 0 ? teams.join(', ') : 'none'
    const whose = `for which the region ${region} is reserved`
    throw Refusal.invalid({ teams: [inWords(`teams must be ${bound.join(', ')}, ${whose}, got ${got}`)] })
  }
  if (teams.length === 0) return
  const known = await knownTeams(query, teams)
  const unknown = teams.find((team) => !known.has(team))
  if (unknown !== undefined)
    throw Refusal.invalid({ teams: [inWords(`teams must exist, and there is no ${unknown}`)] })
  if (!(await isRegionInUse(query, region))) return reserveRegion(query, region, teams)
  const taken = `region must be one that nobody probes from, nor has a token for: ${region} is everybody's`
  throw Refusal.invalid({ region: [inWords(taken)] })
}

export async function listRemoteProbes({ db }: Pick<Services, 'db'>) {
  const [rows, reserved] = await Promise.all([listProbeTokens(db.query), readReservedRegions(db.query)])
  return rows.map((row) => ({
    id: row.id,
    region: row.region,
    name: row.name,
    /** Null: all teams. */
    teams: reserved.get(row.region) ?? null,
    ending: row.ending,
    /** The number of processes that probe by it now. */
    probing: row.probing ?? 0,
    created_at: formatInstant(row.created_at),
    last_used_at: formatInstantOrNull(row.last_used_at),
    expires_at: formatInstantOrNull(row.expires_at),
    revoked_at: formatInstantOrNull(row.revoked_at),
  }))
}

export async function revokeRemoteProbe({ db }: Services, id: number) {
  if (await revokeProbeToken(db, id)) return { id }
  throw new Refusal('notFound', { detail: inWords(`there is no valid token ${id} of a probe`) })
}
