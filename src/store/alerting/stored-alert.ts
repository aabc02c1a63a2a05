import { Alert } from '../../core/alerting/alert.ts'
import { SEALED_URL } from '../monitors/monitor-columns.ts'
import { openAddress } from '../sealing/sealed-address.ts'
import type { Vault } from '../sealing/vault.ts'

/**
 * A stored alert, with the whole target. The sealed one is a copy of what its monitor has, so that those who write alerts
 * need no key. An alert goes out without the query of its target rather than not at all.
 */
export function openAlert(stored: unknown, vault: Vault): Alert {
  const { sealedTarget: sealed, ...alert } = Alert.parse(stored)
  const { target: plain, id } = alert
  if (sealed === undefined || plain === null || id === null) return alert
  try {
    return { ...alert, target: openAddress({ plain, sealed }, SEALED_URL, id, vault) }
  } catch {
    return alert
  }
}
