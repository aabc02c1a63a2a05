import { randomBytes } from 'node:crypto'
import type { SignIn } from '../../core/accounts/account.ts'
import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import { findCredentials, lockPasswordHash } from '../../store/accounts/users.ts'
import type { Services } from '../services.ts'
import { readDevice, rememberDevice } from './known-device.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { requireSecondFactor } from './second-factor.ts'
import { startSession, type Visitor } from './sessions.ts'
import { countFailures, type Guard, signInGuards, throttle } from './throttle.ts'

/**
 * Signs in by password; returns the `Set-Cookie` of the session and the one that marks the browser as known. The
 * refusal and its timing are the same for a wrong password and an unknown account.
 */
export async function signIn(
  services: Services,
  input: SignIn,
  visitor: Visitor,
  cookie: string | undefined,
): Promise<string[]> {
  const user = await findCredentials(services.db.query, input.email)
  const device = readDevice(services, cookie)
  const known = user && device?.userIds.includes(user.id) ? `${user.id} ${device.id}` : null
  if (known === null) await throttle(services.limits.perEnteringAddress, visitor.address)
  return countFailures(guardsOf(services, input.email, visitor, known), async () => {
    const isRight = await verifyPassword(input.password, user?.passwordHash ?? (await decoyHash()))
    if (!user?.passwordHash || !isRight) throw wrongPassword()
    const { id, passwordHash } = user
    const enter = () =>
      services.db.query.transaction().execute(async (query) => {
        // A concurrent password change has ended all sessions; this one must not outlive them.
        if ((await lockPasswordHash(query, id)) !== passwordHash) throw wrongPassword()
        await requireSecondFactor(services, query, id, input.code)
        return startSession(services, query, id, visitor)
      })
    const session =
      input.code === null ? await enter() : await countFailures([codeGuard(services, id, known)], enter)
    return [session, rememberDevice(services, device, id)]
  })
}

/**
 * Strangers, however many their addresses, cannot lock out a browser in which the account's password was given before:
 * its failures are counted separately.
 */
function guardsOf(services: Services, email: string, { address }: Visitor, known: string | null): Guard[] {
  return known === null ? signInGuards(services, email, address) : [[services.limits.perKnownDevice, known]]
}

/** Counts wrong codes from all addresses together: an attacker who tries codes already has the password. */
function codeGuard({ limits }: Services, userId: number, known: string | null): Guard {
  return [limits.perSecondFactor, known ?? userId]
}

function wrongPassword(): Refusal {
  return new Refusal('unauthorized', { detail: said('The e-mail address or the password is wrong.') })
}

let decoy: Promise<string> | undefined

/** The hash of an unknown password, so that unknown accounts take as long as known ones. */
function decoyHash(): Promise<string> {
  decoy ??= hashPassword(randomBytes(32).toString('base64'))
  return decoy
}
