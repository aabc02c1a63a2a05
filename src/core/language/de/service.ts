import type { Catalogue } from '../translate.ts'
import alerts from './alerts.json' with { type: 'json' }
import core from './core.json' with { type: 'json' }
import letters from './letters.json' with { type: 'json' }
import pages from './pages.json' with { type: 'json' }
import shared from './shared.json' with { type: 'json' }

/** The texts of the service itself: in pages, mails and alerts. */
export const SERVICE: Catalogue = { ...alerts, ...core, ...letters, ...pages, ...shared }
