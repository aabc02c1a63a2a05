import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { t } from '../language/language.ts'
import { askAccount } from './account.ts'
import { Problem } from './problem.ts'

const USED_KEY = 'upbeat-passkey'
/** The service forgets a challenge after five minutes. */
const OFFERED_MS = 4.5 * 60_000

/** Loaded when a passkey is used: most visits need none. */
const library = () => import('@simplewebauthn/browser')

/** Browsers offer passkeys on https and on localhost only. */
export function canUsePasskeys(): boolean {
  return typeof PublicKeyCredential === 'function'
}

/** Signs in with the passkey that the person picks. */
export async function signInByPasskey(): Promise<void> {
  const { startAuthentication } = await library()
  const optionsJSON = await signInOptions()
  const response = await startAuthentication({ optionsJSON }).catch(refuse)
  await askAccount('signInByPasskey', { body: { response: { ...response } } })
  noteUse()
}

/**
 * Has the browser offer passkeys in its autofill until `signal`. Resolves with true if the person signed in that way.
 * Only on browsers that used a passkey before: each offer costs the service a request.
 */
export async function offerPasskeys(signal: AbortSignal): Promise<boolean> {
  if (!canUsePasskeys() || localStorage.getItem(USED_KEY) === null) return false
  const { browserSupportsWebAuthnAutofill, startAuthentication, WebAuthnAbortService } = await library()
  if (!(await browserSupportsWebAuthnAutofill()) || signal.aborted) return false
  const optionsJSON = await signInOptions().catch(() => null)
  if (optionsJSON === null || signal.aborted) return false
  const until = AbortSignal.any([signal, AbortSignal.timeout(OFFERED_MS)])
  const stop = () => WebAuthnAbortService.cancelCeremony()
  until.addEventListener('abort', stop)
  const response = await startAuthentication({ optionsJSON, useBrowserAutofill: true }).catch(() => null)
  until.removeEventListener('abort', stop)
  if (response === null) return false
  await askAccount('signInByPasskey', { body: { response: { ...response } } })
  return true
}

/** Creates a passkey for the signed-in person, who proves it by password, and by code with two-factor sign-in. */
export async function addPasskey(
  name: string,
  proof: { password: string; code: string | null },
): Promise<void> {
  const { startRegistration } = await library()
  const options = await askAccount('beginPasskey', { body: proof })
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON
  const response = await startRegistration({ optionsJSON }).catch(refuse)
  await askAccount('addPasskey', { body: { name, response: { ...response } } })
  noteUse()
}

/** The contract leaves its content to the library. */
async function signInOptions(): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return (await askAccount('beginPasskeySignIn', {})) as PublicKeyCredentialRequestOptionsJSON
}

function noteUse(): void {
  localStorage.setItem(USED_KEY, 'used')
}

/** Replaces the browser's errors, which are written for programmers. */
function refuse(error: unknown): never {
  const { name, code } = error as { name?: string; code?: string }
  if (name === 'InvalidStateError')
    throw new Problem(0, 'Passkey', t('This device already has a passkey for this service.'))
  if (name === 'SecurityError' || code === 'ERROR_INVALID_RP_ID') {
    throw new Problem(0, 'Passkey', t('Passkeys work only at the configured address of this service.'))
  }
  throw new Problem(0, 'Passkey', t('No passkey was used: the request was canceled or timed out.'))
}
