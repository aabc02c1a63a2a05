/**
 * Lets the dashboard open without a connection and receive alerts (public/service-worker.js). Browsers offer this on
 * HTTPS and on this machine only.
 */
export function registerServiceWorker(): void {
  const { serviceWorker } = navigator as Partial<Navigator>
  // After the page: the first visit must not load its files twice at a time.
  const register = () => {
    // A browser that refuses, as in some private windows, shows the dashboard as before.
    serviceWorker?.register('/service-worker.js', { scope: '/', updateViaCache: 'none' }).catch(() => {})
  }
  if (document.readyState === 'complete') register()
  else addEventListener('load', register, { once: true })
}

/** Ends all alerts in this browser: its push service refuses the next, and the service then deletes the contact. */
export async function endAlertsHere(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker.getRegistration('/')
    const subscription = await registration?.pushManager.getSubscription()
    await subscription?.unsubscribe()
  } catch {
    // A browser without alerts. Signing out must not fail on it.
  }
}
