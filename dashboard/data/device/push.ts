import type { ContactConfigs } from '../../../src/core/alerting/contact-types.ts'
import { t } from '../../language/language.ts'
import { ask } from '../ask.ts'
import { Problem } from '../problem.ts'

/** Whether this browser can get alerts here. On iPhones and iPads only an app on the Home Screen can. */
export function canGetAlerts(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
}

/**
 * Asks the person for permission, and the browser for an address of its push service. Call it from a press of a button.
 * Throws a `Problem` that says what stood in the way.
 */
export async function subscribeThisBrowser(team: number): Promise<ContactConfigs['webpush']> {
  if ((await Notification.requestPermission()) !== 'granted') {
    throw refusal(
      t(
        'This browser does not allow notifications from Upbeat. Allow them in the settings of the site, then try again.',
      ),
    )
  }
  const [{ data: key }, { data: contacts }] = await Promise.all([
    ask(team, 'getPushKey', {}),
    ask(team, 'listContacts', {}),
  ])
  const config = await subscribe(key.public_key).catch(() => {
    throw refusal(
      t('The browser got no address from its push service. Check its connection, then try again.'),
    )
  })
  const same = contacts.find((contact) => contact.config.endpoint === config.endpoint)
  if (same) throw refusal(t('This browser already gets alerts, as “{name}”.', { name: same.name }))
  return config
}

async function subscribe(publicKey: string): Promise<ContactConfigs['webpush']> {
  const { pushManager } = await registrationOfPage()
  const former = await pushManager.getSubscription()
  // One that was made for another key, as after a move to a new installation, would get nothing.
  if (former && !isFor(former, publicKey)) await former.unsubscribe()
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const { endpoint = '', keys = {} } = subscription.toJSON()
  return { endpoint, p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' }
}

async function registrationOfPage(): Promise<ServiceWorkerRegistration> {
  // `ready` alone would wait for ever where the browser refused the service worker.
  if (!(await navigator.serviceWorker.getRegistration('/'))) throw new Error('no service worker')
  return navigator.serviceWorker.ready
}

function isFor({ options }: PushSubscription, publicKey: string): boolean {
  const key = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0))
  const written = btoa(String.fromCharCode(...key))
  return written.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') === publicKey
}

function refusal(words: string): Problem {
  return new Problem(0, 'No alerts', words)
}
