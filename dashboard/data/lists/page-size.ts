/** Rows on a page of the lists of subjects. */
export const PER_PAGE = 50
