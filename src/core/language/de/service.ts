import type { Catalogue } from '../translate.ts'
import core from './core.json' with { type: 'json' }
import publicPages from './public-pages.json' with { type: 'json' }
import alerts from './service/alerts.json' with { type: 'json' }
import letters from './service/letters.json' with { type: 'json' }
import pages from './service/pages.json' with { type: 'json' }
import shared from './shared.json' with { type: 'json' }

/** The texts of the service itself: in pages, mails and alerts. */
export const SERVICE: Catalogue = { ...alerts, ...core, ...letters, ...pages, ...publicPages, ...shared }
