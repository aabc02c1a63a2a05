import type { PageVisibility } from '../../../src/core/status-pages/status-page.ts'

/** Words for the audience of a published page. */
export const VISIBILITY_WORDS = {
  public: 'Everyone',
  password: 'With a password',
  members: 'Members of the team',
  networks: 'From chosen networks',
} as const satisfies Record<PageVisibility, string>
