/** Status codes of redirects; a check follows them unless the monitor expects them. */
export const REDIRECTS = [301, 302, 303, 307, 308]
