import type { WindowRow } from '../../../src/core/maintenance/shown-window.ts'
import { t } from '../../language/language.ts'

/** Whether status pages show a window, and as what where that is not its name. */
export function sayOnPages({ shows_on_pages, public_name, name }: WindowRow): string {
  if (!shows_on_pages) return t('Not on status pages.')
  return public_name === '' || public_name === name
    ? ''
    : t('On status pages as “{name}”.', { name: public_name })
}
