/**
 * Whether who asks has this version already, by `If-None-Match` (RFC 9110 section 13.1.2). Compared weakly: a proxy
 * that compresses makes weak tags of ours.
 */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch?.trim() === '*') return true
  return ifNoneMatch?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false
}
