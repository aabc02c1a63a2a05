import { MAX_SLUG_LENGTH } from '../../../src/core/status-pages/status-page.ts'

/** An address for a name: `Café & Bar` becomes `cafe-bar`; empty where nothing of the name can stand in one. */
export function slugFor(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_LENGTH)
    .replaceAll(/^-+|-+$/g, '')
}
