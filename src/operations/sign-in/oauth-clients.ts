import { randomBytes } from 'node:crypto'
import { said } from '../../core/language/said.ts'
import { OauthRefusal } from '../../core/sign-in/oauth.ts'
import {
  isDescriptionUrl,
  type OauthClient,
  presentClient,
  readClientDocument,
  readClientMetadata,
} from '../../core/sign-in/oauth-client.ts'
import { findOauthClient, putOauthClient } from '../../store/sign-in/oauth-clients.ts'
import type { Services } from '../services.ts'
import { throttle } from './throttle.ts'

const CLIENT_ID_BYTES = 18
/** Age after which a description is fetched again. */
const DESCRIPTION_MS = 3_600_000
/** The key that counts all registrations together. */
const ALL = 'all'

/** Registers a program (RFC 7591). */
export async function registerClient(services: Services, sent: unknown, address: string) {
  await throttle(services.limits.perRegisteringAddress, address)
  const client = { id: randomBytes(CLIENT_ID_BYTES).toString('base64url'), ...readClientMetadata(sent) }
  await throttle(services.limits.registrations, ALL)
  const now = services.now()
  await putOauthClient(services.db.query, client, now, null)
  return presentClient(client, now)
}

/**
 * Finds a program by its id; null when there is none. If the id is the URL of its description, that is fetched at most
 * once an hour, and only on behalf of `userId`, who is signed in.
 */
export async function findClient(
  services: Services,
  clientId: string,
  userId: number,
): Promise<OauthClient | null> {
  const known = await findOauthClient(services.db.query, clientId)
  if (!isDescriptionUrl(clientId)) return known
  const now = services.now()
  if (known?.describedAt && now.getTime() - known.describedAt.getTime() < DESCRIPTION_MS) return known
  await throttle(services.limits.perDescribingUser, userId)
  const client = readClientDocument(clientId, await readDescription(services, clientId))
  await putOauthClient(services.db.query, client, now, now)
  return client
}

/** All failures share one wording: details would let a signed-in person probe what answers at which address. */
async function readDescription({ fetchDescription }: Services, url: string): Promise<unknown> {
  const fetched = await fetchDescription(url)
  if (fetched === null) {
    throw new OauthRefusal(
      'invalid_client',
      said(
        'The description of the program cannot be read: it must be at a public address, and answered with HTTP 200.',
      ),
    )
  }
  try {
    return JSON.parse(fetched)
  } catch {
    throw new OauthRefusal('invalid_client', said('The description of the program is not JSON.'))
  }
}
