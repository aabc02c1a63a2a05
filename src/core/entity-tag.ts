/**
 * Whether the client already has this version, according to `If-None-Match` (RFC 9110 section 13.1.2). The
 * comparison is weak, because a compressing proxy turns our tags into weak ones.
 */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch?.trim() === '*') return true
  return ifNoneMatch?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false
}
