/** Rows on a page of the lists of monitors, servers and sites. */
export const PER_PAGE = 50
