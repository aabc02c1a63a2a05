import type { PageVisibility } from '../../../src/core/status-pages/status-page.ts'
import { t } from '../../language/language.ts'

/** Words for the audience of a published page. */
export const VISIBILITY_WORDS = {
  public: t('Everyone'),
  password: t('With a password'),
  members: t('Members of the team'),
  networks: t('From chosen networks'),
} as const satisfies Record<PageVisibility, string>
