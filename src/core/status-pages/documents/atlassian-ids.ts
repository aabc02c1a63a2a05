/**
 * Ids in Statuspage's documents are texts without a meaning, and ours are numbers that each kind of record counts for
 * itself. With the kind before it no two are alike, and no reader takes `2027` for a year.
 */
export const atlassianId = {
  page: (id: number) => `page-${id}`,
  group: (id: number) => `group-${id}`,
  component: (id: number) => `component-${id}`,
  post: (id: number) => `post-${id}`,
  update: (id: number) => `update-${id}`,
}
