import type { Catalogue } from '../translate.ts'
import alerts from './alerts.json' with { type: 'json' }
import core from './core.json' with { type: 'json' }
import letters from './letters.json' with { type: 'json' }
import pages from './pages.json' with { type: 'json' }
import shared from './shared.json' with { type: 'json' }

/** What the service itself says to people: in pages and mails. */
export const SERVICE: Catalogue = { ...alerts, ...core, ...letters, ...pages, ...shared }
