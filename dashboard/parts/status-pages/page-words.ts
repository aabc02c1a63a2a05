import type { PageVisibility } from '../../../src/core/status-pages/status-page.ts'

/** Who sees a page that is published. */
export const VISIBILITY_WORDS = {
  public: 'Everyone',
  password: 'With a password',
  members: 'Members of the team',
  networks: 'From chosen networks',
} as const satisfies Record<PageVisibility, string>
