import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { askAccount } from './account.ts'
import { Problem } from './problem.ts'

const USED_KEY = 'upbeat-passkey'
/** The service forgets what it asked for after five minutes. */
const OFFERED_MS = 4.5 * 60_000

/** Loaded when a passkey is used: most visits need none. */
const library = () => import('@simplewebauthn/browser')

/** Browsers know passkeys on https and on this very machine only. */
export function canUsePasskeys(): boolean {
  return typeof PublicKeyCredential === 'function'
}

/** Signs in by whichever passkey the person picks. */
export async function signInByPasskey(): Promise<void> {
  const { startAuthentication } = await library()
  const optionsJSON = await signInOptions()
  const response = await startAuthentication({ optionsJSON }).catch(refuse)
  await askAccount('signInByPasskey', { body: { response: { ...response } } })
  noteUse()
}

/**
 * Has the browser offer passkeys among what it fills into the form, until `signal`. Resolves with whether somebody
 * signed in that way. Only where a passkey was used before: each offer is asked of the service.
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

/** Makes a passkey for who is signed in and proves it: by the password, and a code where the account wants one. */
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

/** The contract leaves to the library what is in it. */
async function signInOptions(): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return (await askAccount('beginPasskeySignIn', {})) as PublicKeyCredentialRequestOptionsJSON
}

function noteUse(): void {
  localStorage.setItem(USED_KEY, 'used')
}

/** Browsers tell why in words for programmers. */
function refuse(error: unknown): never {
  const { name, code } = error as { name?: string; code?: string }
  if (name === 'InvalidStateError') throw new Problem(0, 'Passkey', 'This device has a passkey here already.')
  if (name === 'SecurityError' || code === 'ERROR_INVALID_RP_ID') {
    throw new Problem(0, 'Passkey', 'Passkeys work only at the address that this service is set up with.')
  }
  throw new Problem(0, 'Passkey', 'The browser gave no passkey: it was cancelled, or took too long.')
}
